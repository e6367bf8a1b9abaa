import fc from 'fast-check';
import type { JsonSchema } from '../schema/json-schema.ts';

import { fieldSchema, kindSchema } from './schema-arbitrary.ts';
import { sentValue, storedValue } from './value-arbitrary.ts';

/** Values of one schema: each is sent by a client, some replace another one. */
export interface SchemaCase<Value = unknown> {
  readonly schema: JsonSchema;
  readonly trials: readonly Trial<Value>[];
}

/** A value that is new, or that replaces one from a time when the schema may have been another. */
export interface Trial<Value = unknown> {
  readonly before?: { readonly value: Value };
  readonly after: Value;
}

/** Content of an object below its metadata. */
export type Content = Readonly<Record<string, unknown>>;

/** Schemas of one field, with values. Two servers must agree on what becomes of each. */
export function fieldCase(trials: number): fc.Arbitrary<SchemaCase> {
  return fieldSchema().chain((schema) => caseOf(schema, sentValue(schema), storedValue(schema), trials));
}

/** Schemas of whole kinds, with the spec of objects, and their status if the schema has one. */
export function kindCase(trials: number): fc.Arbitrary<SchemaCase<Content>> {
  return kindSchema().chain((schema) =>
    caseOf(schema, content(schema, sentValue), content(schema, storedPart), trials),
  );
}

function caseOf<Value>(
  schema: JsonSchema,
  sent: fc.Arbitrary<Value>,
  stored: fc.Arbitrary<Value>,
  trials: number,
): fc.Arbitrary<SchemaCase<Value>> {
  const creation = sent.map((after): Trial<Value> => ({ after }));
  const replacement = fc
    .record({ after: stored, other: stored, kind: fc.constantFrom('same', 'change', 'change', 'replace') })
    .map(({ after, other, kind }): Trial<Value> => {
      return { after, before: { value: kind === 'same' ? after : kind === 'change' ? mixed(after, other) : other } };
    });
  const trial = fc.oneof({ weight: 2, arbitrary: creation }, { weight: 3, arbitrary: replacement });
  return fc
    .array(trial, { minLength: 1, maxLength: trials, size: 'max' })
    .map((all): SchemaCase<Value> => ({ schema, trials: all }));
}

/** What a value was before a change somewhere in it: parts of it are of the other one. */
function mixed<Value>(value: Value, other: Value): Value {
  if (Array.isArray(value) && Array.isArray(other)) {
    const start = value.slice(0, -1);
    const end = other.slice(start.length);
    return [...start, ...(end.length > 0 ? end : other.slice(-1))] as Value;
  }
  if (!isRecord(value) || !isRecord(other)) return other;
  const [changed] = Object.entries(other);
  if (!changed) return value;
  const [name, part] = changed;
  return { ...value, [name]: Object.hasOwn(value, name) ? mixed(value[name], part) : part };
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A schema with something that may not be in a CustomResourceDefinition, or not there. */
export function doubtfulSchema(): fc.Arbitrary<JsonSchema> {
  const oddities = fc.array(oddity(), { minLength: 1, maxLength: 2 });
  const place = fc.constantFrom('spec', 'field', 'items', 'junctor');
  return fc.tuple(kindSchema(), fieldSchema(), oddities, place).map(([schema, field, odd, where]) => {
    const spec = schema.properties?.['spec'] ?? {};
    const strange: JsonSchema = Object.assign({ ...field }, ...odd);
    return { ...schema, properties: { ...schema.properties, spec: placed(spec, strange, where) } };
  });
}

function placed(spec: JsonSchema, odd: JsonSchema, where: string): JsonSchema {
  switch (where) {
    case 'spec':
      return odd;
    case 'field':
      return { ...spec, properties: { ...spec.properties, a: odd } };
    case 'items':
      return { ...spec, properties: { ...spec.properties, a: { type: 'array', items: odd, maxItems: 3 } } };
    default:
      return { ...spec, allOf: [{ properties: { a: odd } }] };
  }
}

function oddity(): fc.Arbitrary<JsonSchema> {
  return fc.constantFrom<JsonSchema[]>(
    { type: undefined },
    { type: 'made-up' },
    { default: 5 },
    { default: { unknown: true } },
    { additionalProperties: true },
    { additionalProperties: { type: 'string' } },
    { pattern: '(' },
    { uniqueItems: true },
    { nullable: true },
    { description: 'about' },
    { 'x-kubernetes-int-or-string': true },
    { 'x-kubernetes-preserve-unknown-fields': true },
    { 'x-kubernetes-embedded-resource': true },
    { 'x-kubernetes-list-type': 'set' },
    { 'x-kubernetes-list-type': 'map' },
    { 'x-kubernetes-list-map-keys': ['a'] },
    { 'x-kubernetes-map-type': 'atomic' },
    { 'x-kubernetes-validations': [{ rule: 'self.nothing' }] },
    { 'x-kubernetes-validations': [{ rule: 'oldSelf == self', optionalOldSelf: true }] },
    { anyOf: [{ type: 'string' }] },
    { not: { properties: { zz: { minLength: 1 } } } },
    { properties: { metadata: { type: 'string' } } },
  );
}

function content(
  schema: JsonSchema,
  valueFor: (part: JsonSchema, whole: JsonSchema) => fc.Arbitrary<unknown>,
): fc.Arbitrary<Content> {
  const { properties = {} } = schema;
  const parts = Object.fromEntries(Object.entries(properties).map(([name, part]) => [name, valueFor(part, schema)]));
  return fc.record(parts, {
    requiredKeys: ['spec'].filter((name) => Object.hasOwn(parts, name)),
    noNullPrototype: true,
  });
}

/** Rules anywhere in a kind count for all of it. */
const storedPart = (part: JsonSchema, { 'x-kubernetes-validations': rules }: JsonSchema) =>
  storedValue(rules ? { ...part, 'x-kubernetes-validations': part['x-kubernetes-validations'] ?? [] } : part);
