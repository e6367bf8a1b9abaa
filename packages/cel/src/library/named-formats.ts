import { isBase64, OBJECT_FORMATS } from '../formats/formats.ts';
import { parseRequestUri, UrlError } from '../formats/go-url.ts';
import {
  asPrefix,
  dns1035LabelProblems,
  dns1123LabelProblems,
  dns1123SubdomainProblems,
  labelValueProblems,
  qualifiedNameProblems,
} from '../formats/kubernetes-names.ts';
import { listOf, named, optionalOf, STRING } from '../types/cel-type.ts';
import { PlainList } from '../values/list.ts';
import { OpaqueValue } from '../values/opaque.ts';
import { Optional } from '../values/optional.ts';
import { define, type FunctionDeclaration, global, member } from './declaration.ts';

/** Says what is wrong with a text. */
type Problems = (text: string) => readonly string[];

class NamedFormat extends OpaqueValue {
  override readonly typeName = 'kubernetes.NamedFormat';
  readonly name: string;
  readonly problems: Problems;

  constructor(name: string, problems: Problems) {
    super();
    this.name = name;
    this.problems = problems;
  }

  override matches(other: this): boolean {
    return this.name === other.name;
  }
}

const byFormat = (format: string, complaint: string): Problems => {
  const isValid = OBJECT_FORMATS.get(format);
  return (text) => (isValid?.(text) ? [] : [complaint]);
};

function uriProblems(text: string): readonly string[] {
  try {
    parseRequestUri(text);
    return [];
  } catch (error) {
    if (error instanceof UrlError) return [error.message];
    throw error;
  }
}

const subdomain: Problems = (name) => dns1123SubdomainProblems(name);

const FORMATS: ReadonlyMap<string, NamedFormat> = new Map(
  Object.entries({
    dns1123Label: dns1123LabelProblems,
    dns1123Subdomain: subdomain,
    dns1035Label: dns1035LabelProblems,
    qualifiedName: qualifiedNameProblems,
    dns1123LabelPrefix: asPrefix(dns1123LabelProblems),
    dns1123SubdomainPrefix: asPrefix((name) => [...subdomain(name)]),
    dns1035LabelPrefix: asPrefix(dns1035LabelProblems),
    labelValue: labelValueProblems,
    uri: uriProblems,
    uuid: byFormat('uuid', 'does not match the UUID format'),
    byte: (text: string) => (isBase64(text) ? [] : ['invalid base64']),
    date: byFormat('date', 'invalid date'),
    datetime: byFormat('datetime', 'invalid datetime'),
  } satisfies Record<string, Problems>).map(([name, problems]): [string, NamedFormat] => [
    name,
    new NamedFormat(name, problems),
  ]),
);

const FORMAT = named('kubernetes.NamedFormat');

function lookUp(name: string): Optional {
  const format = FORMATS.get(name);
  return format ? Optional.of(format) : Optional.none;
}

function validate({ problems }: NamedFormat, text: string): Optional {
  const found = problems(text);
  return found.length === 0 ? Optional.none : Optional.of(new PlainList(found));
}

/** Formats by name, and what is wrong with a text that does not have one. */
export const NAMED_FORMATS: readonly FunctionDeclaration[] = [
  ...Array.from(FORMATS, ([name, format]) =>
    define(
      `format.${name}`,
      global(`format.${name}`, [], FORMAT, () => format),
    ),
  ),
  define('format.named', global('format-named', [STRING], optionalOf(FORMAT), lookUp)),
  define('validate', member('format-validate', [FORMAT, STRING], optionalOf(listOf(STRING)), validate)),
];
