/** Rules for the keys and values of labels. Each function returns what is wrong, in the words of Kubernetes. */

const NAME = '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]';
const VALUE = `(${NAME})?`;
const SUBDOMAIN = '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*';

const NAME_RULE = new RegExp(`^${NAME}$`);
const VALUE_RULE = new RegExp(`^${VALUE}$`);
const SUBDOMAIN_RULE = new RegExp(`^${SUBDOMAIN}$`);

const CHARACTERS =
  "consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character";
const NAME_PROBLEM = mismatch(`must ${CHARACTERS}`, NAME, ['MyName', 'my.name', '123-abc']);
const VALUE_PROBLEM = mismatch(`a valid label must be an empty string or ${CHARACTERS}`, VALUE, [
  'MyValue',
  'my_value',
  '12345',
]);
const SUBDOMAIN_PROBLEM = mismatch(
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', " +
    'and must start and end with an alphanumeric character',
  SUBDOMAIN,
  ['example.com'],
);

/** A name of up to 63 bytes, with or without the prefix `subdomain/`. */
export function labelKeyProblems(key: string): readonly string[] {
  const parts = key.split('/');
  if (parts.length > 2) {
    return [
      `a valid label key ${NAME_PROBLEM} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`,
    ];
  }
  const name = parts.at(-1) ?? '';
  return [...(parts.length === 2 ? prefixProblems(parts[0] ?? '') : []), ...nameProblems(name)];
}

/** Empty, or up to 63 bytes. */
export function labelValueProblems(value: string): readonly string[] {
  return [...tooLong(value, 63), ...(VALUE_RULE.test(value) ? [] : [VALUE_PROBLEM])];
}

function prefixProblems(prefix: string): readonly string[] {
  if (prefix === '') return ['prefix part must be non-empty'];
  const problems = [...tooLong(prefix, 253), ...(SUBDOMAIN_RULE.test(prefix) ? [] : [SUBDOMAIN_PROBLEM])];
  return problems.map((problem) => `prefix part ${problem}`);
}

function nameProblems(name: string): readonly string[] {
  const length = name === '' ? ['must be non-empty'] : tooLong(name, 63);
  const problems = [...length, ...(NAME_RULE.test(name) ? [] : [NAME_PROBLEM])];
  return problems.map((problem) => `name part ${problem}`);
}

function tooLong(text: string, limit: number): readonly string[] {
  return Buffer.byteLength(text) > limit ? [`must be no more than ${limit} bytes`] : [];
}

function mismatch(rule: string, format: string, examples: readonly string[]): string {
  const shown = examples.map((example) => `'${example}', `).join(' or ');
  return `${rule} (e.g. ${shown}regex used for validation is '${format}')`;
}
