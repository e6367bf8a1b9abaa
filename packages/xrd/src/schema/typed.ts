import type { Schema } from './json.ts';

/**
 * A part of a definition as Crossplane reads and writes it: through Go types that drop the keys they do not know, and
 * leave out what is empty unless the type can tell empty from absent.
 */
type Read = (value: unknown) => unknown;

const asIs: Read = (value) => value;

/** Absent when it is `''`, `false`, `0`, `[]` or `{}`. */
const unlessEmpty: Read = (value) => (isEmpty(value) ? undefined : value);

const listOf = (read: Read): Read => unlessEmptyAfter((value) => (value as unknown[]).map(read));
const mapOf = (read: Read): Read => unlessEmptyAfter((value) => readFields(value as object, () => read));
const struct =
  (fields: Readonly<Record<string, Read>>): Read =>
  (value) =>
    readFields(value as object, (key) => fields[key]);
const schemaOrFlag: Read = (value) => (typeof value === 'boolean' ? value : typedSchema(value as Schema));
const schema: Read = (value) => typedSchema(value as Schema);

const rule = struct({
  rule: asIs,
  message: unlessEmpty,
  messageExpression: unlessEmpty,
  reason: asIs,
  fieldPath: unlessEmpty,
  optionalOldSelf: asIs,
});

const schemaFields: Readonly<Record<string, Read>> = {
  $ref: asIs,
  $schema: unlessEmpty,
  additionalItems: schemaOrFlag,
  additionalProperties: schemaOrFlag,
  allOf: listOf(schema),
  anyOf: listOf(schema),
  default: asIs,
  definitions: mapOf(schema),
  dependencies: mapOf((value) => (Array.isArray(value) ? value : typedSchema(value as Schema))),
  description: unlessEmpty,
  enum: unlessEmpty,
  example: asIs,
  exclusiveMaximum: unlessEmpty,
  exclusiveMinimum: unlessEmpty,
  externalDocs: struct({ description: unlessEmpty, url: unlessEmpty }),
  format: unlessEmpty,
  id: unlessEmpty,
  items: (value) => (Array.isArray(value) ? value.map(schema) : typedSchema(value as Schema)),
  maxItems: asIs,
  maxLength: asIs,
  maxProperties: asIs,
  maximum: asIs,
  minItems: asIs,
  minLength: asIs,
  minProperties: asIs,
  minimum: asIs,
  multipleOf: asIs,
  not: schema,
  nullable: unlessEmpty,
  oneOf: listOf(schema),
  pattern: unlessEmpty,
  patternProperties: mapOf(schema),
  properties: mapOf(schema),
  required: unlessEmpty,
  title: unlessEmpty,
  type: unlessEmpty,
  uniqueItems: unlessEmpty,
  'x-kubernetes-embedded-resource': unlessEmpty,
  'x-kubernetes-int-or-string': unlessEmpty,
  'x-kubernetes-list-map-keys': unlessEmpty,
  'x-kubernetes-list-type': asIs,
  'x-kubernetes-map-type': asIs,
  'x-kubernetes-preserve-unknown-fields': asIs,
  'x-kubernetes-validations': listOf(rule),
};

/** A schema without the keys that the CRD API does not know. */
export function typedSchema(schema: Schema): Schema {
  return readFields(schema, (key) => schemaFields[key]);
}

/** Leaves out what a Go type with `omitempty` fields would. */
export function withoutEmpty<T extends object>(value: T): T {
  return readFields(value, () => unlessEmpty) as T;
}

function readFields(value: object, readerOf: (key: string) => Read | undefined): Record<string, unknown> {
  const read = Object.entries(value).map(
    ([key, field]) => [key, field === null ? undefined : readerOf(key)?.(field)] as const,
  );
  return Object.fromEntries(read.filter(([, field]) => field !== undefined));
}

function unlessEmptyAfter(read: Read): Read {
  return (value) => unlessEmpty(read(value));
}

function isEmpty(value: unknown): boolean {
  if (typeof value === 'object' && value !== null) return Object.keys(value).length === 0;
  return !value;
}
