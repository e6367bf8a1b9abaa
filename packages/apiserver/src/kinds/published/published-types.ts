import { dataLines } from './data-lines.ts';

/** A schema as the OpenAPI document of Kubernetes has it. */
export interface PublishedSchema {
  readonly $ref?: string;
  readonly allOf?: readonly PublishedSchema[];
  readonly type?: string;
  readonly format?: string;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, PublishedSchema>>;
  readonly items?: PublishedSchema;
  readonly additionalProperties?: PublishedSchema;
  readonly [keyword: string]: unknown;
}

interface PublishedType {
  readonly name: string;
  /** What Go says of the fields and OpenAPI does not, in the order of Go. */
  readonly go: Readonly<Record<string, string>>;
  readonly schema: PublishedSchema;
}

/** Texts until they are needed. */
let lines: Map<string, string> | undefined;

/** A type by the name of its schema. Throws when there is none. */
export function publishedType(name: string): PublishedType {
  lines ??= new Map(dataLines('types.jsonl').map((line) => [line.slice(NAME.length, line.indexOf('",')), line]));
  const line = lines.get(name);
  if (line === undefined) throw new Error(`there is no type ${name}`);
  return JSON.parse(line) as PublishedType;
}

/** How every line begins. */
const NAME = '{"name":"';

const REFERENCE = '#/components/schemas/';

/** The name of the type that a schema refers to, if it does. */
export function referenceOf({ $ref, allOf }: PublishedSchema): string | undefined {
  return ($ref ?? allOf?.[0]?.$ref)?.slice(REFERENCE.length);
}
