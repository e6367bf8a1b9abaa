import fc from 'fast-check';

import type { JsonSchema } from '../types.ts';
import { fieldSchema, kindSchema } from './schema-arbitrary.ts';
import { sentValue } from './value-arbitrary.ts';

/** A schema, an object that a client sends, and sometimes what it replaces. */
export interface SchemaCase {
  readonly schema: JsonSchema;
  /** Spec, and status if the schema has one. */
  readonly object: Readonly<Record<string, unknown>>;
  readonly old: Readonly<Record<string, unknown>> | undefined;
}

/** Schemas with objects for them. Two servers must agree on what becomes of each. */
export function schemaCase(): fc.Arbitrary<SchemaCase> {
  return kindSchema().chain((schema) =>
    fc
      .record({ object: content(schema), other: content(schema), kind: fc.constantFrom('create', 'same', 'change') })
      .map(({ object, other, kind }) => ({
        schema,
        object,
        old: kind === 'create' ? undefined : kind === 'same' ? object : partlyChanged(object, other),
      })),
  );
}

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

function content({ properties = {} }: JsonSchema): fc.Arbitrary<Record<string, unknown>> {
  const parts = Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, sentValue(schema)]));
  return fc.record(parts, {
    requiredKeys: ['spec'].filter((name) => Object.hasOwn(parts, name)),
    noNullPrototype: true,
  });
}

/** What an object was before a change of one field of its spec. */
function partlyChanged(object: Record<string, unknown>, other: Record<string, unknown>): Record<string, unknown> {
  const [spec, otherSpec] = [object['spec'], other['spec']];
  if (typeof spec !== 'object' || spec === null || typeof otherSpec !== 'object' || otherSpec === null) return other;
  const [changed] = Object.entries(otherSpec);
  return { ...object, spec: changed ? { ...spec, [changed[0]]: changed[1] } : spec };
}
