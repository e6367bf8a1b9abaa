/** The kinds of names in Kubernetes. Each function returns what is wrong with a name, in Kubernetes' own words. */

const LABEL = '[a-z0-9]([-a-z0-9]*[a-z0-9])?';
const SUBDOMAIN = `${LABEL}(\\.${LABEL})*`;

const DNS1123_LABEL = new RegExp(`^${LABEL}$`);
const DNS1123_SUBDOMAIN = new RegExp(`^${SUBDOMAIN}$`);
const DNS1035_LABEL = /^[a-z]([-a-z0-9]*[a-z0-9])?$/;
const QUALIFIED_NAME = /^([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]$/;
const LABEL_VALUE = /^(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?$/;

const QUALIFIED_WORDS =
  "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character";

const hint = (words: string, pattern: string, examples: readonly string[]) =>
  `${words} (e.g. ${examples.map((example) => `'${example}'`).join(',  or ')}, regex used for validation is '${pattern}')`;

/** Kubernetes has two wordings for the same complaint: an older one for DNS names, a newer one for keys and labels. */
type LengthUnit = 'characters' | 'bytes';

const tooLong = (max: number, unit: LengthUnit) => `must be no more than ${max} ${unit}`;

const bytes = (text: string) => Buffer.byteLength(text);

export function dns1123LabelProblems(name: string): string[] {
  const words =
    "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character";
  const isWellFormed = DNS1123_LABEL.test(name);
  const subdomainHint = DNS1123_SUBDOMAIN.test(name)
    ? ['must not contain dots']
    : [hint(words, LABEL, ['my-name', '123-abc'])];
  return [...(bytes(name) > 63 ? [tooLong(63, 'characters')] : []), ...(isWellFormed ? [] : subdomainHint)];
}

export function dns1123SubdomainProblems(name: string, unit: LengthUnit = 'characters'): string[] {
  const words =
    "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character";
  return [
    ...(bytes(name) > 253 ? [tooLong(253, unit)] : []),
    ...(DNS1123_SUBDOMAIN.test(name) ? [] : [hint(words, SUBDOMAIN, ['example.com'])]),
  ];
}

export function dns1035LabelProblems(name: string): string[] {
  const words =
    "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character";
  return [
    ...(bytes(name) > 63 ? [tooLong(63, 'characters')] : []),
    ...(DNS1035_LABEL.test(name) ? [] : [hint(words, '[a-z]([-a-z0-9]*[a-z0-9])?', ['my-name', 'abc-123'])]),
  ];
}

/** Names such as `app` or `example.com/app`. */
export function qualifiedNameProblems(name: string): string[] {
  const parts = name.split('/');
  if (parts.length > 2) {
    const words = `a valid label key ${QUALIFIED_WORDS}`;
    const shown = hint(words, '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]', ['MyName', 'my.name', '123-abc']);
    return [`${shown} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`];
  }
  const prefix = parts.length === 2 ? parts[0] : undefined;
  return [...prefixProblems(prefix), ...namePartProblems(parts.at(-1) ?? '')];
}

function prefixProblems(prefix: string | undefined): string[] {
  if (prefix === undefined) return [];
  if (prefix === '') return ['prefix part must be non-empty'];
  return dns1123SubdomainProblems(prefix, 'bytes').map((problem) => `prefix part ${problem}`);
}

function namePartProblems(name: string): string[] {
  const pattern = '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]';
  return [
    ...(name === '' ? ['name part must be non-empty'] : []),
    ...(bytes(name) > 63 ? [`name part ${tooLong(63, 'bytes')}`] : []),
    ...(QUALIFIED_NAME.test(name)
      ? []
      : [`name part ${hint(QUALIFIED_WORDS, pattern, ['MyName', 'my.name', '123-abc'])}`]),
  ];
}

export function labelValueProblems(value: string): string[] {
  const words = `a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character`;
  const pattern = '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?';
  return [
    ...(bytes(value) > 63 ? [tooLong(63, 'bytes')] : []),
    ...(LABEL_VALUE.test(value) ? [] : [hint(words, pattern, ['MyValue', 'my_value', '12345'])]),
  ];
}

/** A name that more will be appended to may end in a dash. */
export function asPrefix(problems: (name: string) => string[]): (prefix: string) => string[] {
  return (prefix) => problems(prefix.endsWith('-') && prefix.length > 1 ? `${prefix.slice(0, -2)}a` : prefix);
}

export const isShortName = (name: string) => bytes(name) <= 63 && DNS1123_LABEL.test(name);
export const isLongName = (name: string) => bytes(name) <= 253 && DNS1123_SUBDOMAIN.test(name);
