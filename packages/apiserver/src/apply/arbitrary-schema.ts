import * as fc from 'fast-check';
import type { JsonSchema } from '@klutch/cel';

import type { Json, JsonObject } from '../objects/api-object.ts';

/** For tests: random structural schemas with all list and map types, small enough that objects often collide. */
export function arbitrarySchema(): fc.Arbitrary<JsonSchema> {
  return fc
    .tuple(objectSchema(2), objectSchema(1))
    .map(([spec, status]) => ({ type: 'object', properties: { spec, status } }));
}

/** For tests: random objects of a schema, with nulls, empty values and duplicate items now and then. */
export function arbitraryObject(schema: JsonSchema): fc.Arbitrary<JsonObject> {
  return valueOf(schema, { nulls: false }) as fc.Arbitrary<JsonObject>;
}

const NAMES = ['a', 'b', 'c'] as const;

function objectSchema(depth: number): fc.Arbitrary<JsonSchema> {
  return fc
    .record(
      Object.fromEntries(NAMES.map((name) => [name, anySchema(depth - 1)])) as Record<string, fc.Arbitrary<JsonSchema>>,
      { requiredKeys: ['a'] },
    )
    .chain((some) => {
      const properties = some as Record<string, JsonSchema>;
      return fc.constantFrom<JsonSchema>(
        { type: 'object', properties },
        { type: 'object', properties },
        { type: 'object', properties, 'x-kubernetes-map-type': 'atomic' },
        { type: 'object', properties, 'x-kubernetes-map-type': 'granular' },
        { type: 'object', properties, 'x-kubernetes-preserve-unknown-fields': true },
        {
          type: 'object',
          properties,
          'x-kubernetes-embedded-resource': true,
          'x-kubernetes-preserve-unknown-fields': true,
        },
      );
    });
}

const SCALARS: readonly JsonSchema[] = [
  { type: 'string' },
  { type: 'integer' },
  { type: 'boolean' },
  { type: 'number' },
  { type: 'string', nullable: true },
  { 'x-kubernetes-int-or-string': true },
];

function anySchema(depth: number): fc.Arbitrary<JsonSchema> {
  const scalar = fc.constantFrom(...SCALARS);
  const leaf = fc.oneof(
    { weight: 3, arbitrary: scalar },
    { weight: 1, arbitrary: fc.constant<JsonSchema>({ 'x-kubernetes-preserve-unknown-fields': true }) },
    { weight: 1, arbitrary: fc.constant<JsonSchema>({ type: 'object', 'x-kubernetes-preserve-unknown-fields': true }) },
    { weight: 2, arbitrary: scalar.map((items): JsonSchema => ({ type: 'array', items })) },
    { weight: 2, arbitrary: fc.constant<JsonSchema>(SET) },
    { weight: 2, arbitrary: scalar.map((others): JsonSchema => ({ type: 'object', additionalProperties: others })) },
  );
  if (depth <= 0) return leaf;
  return fc.oneof(
    { weight: 3, arbitrary: leaf },
    { weight: 2, arbitrary: objectSchema(depth) },
    { weight: 3, arbitrary: listMapSchema(depth) },
    { weight: 1, arbitrary: objectSchema(depth).map((items): JsonSchema => ({ type: 'array', items })) },
    {
      weight: 1,
      arbitrary: objectSchema(depth).map((others): JsonSchema => ({ type: 'object', additionalProperties: others })),
    },
  );
}

const SET: JsonSchema = { type: 'array', items: { type: 'string' }, 'x-kubernetes-list-type': 'set' };

function listMapSchema(depth: number): fc.Arbitrary<JsonSchema> {
  return fc.tuple(anySchema(depth - 1), anySchema(depth - 1), fc.constantFrom(1, 2)).map(([a, b, keys]): JsonSchema => {
    const port: JsonSchema = { type: 'integer', default: 80 };
    const properties = { name: { type: 'string' }, port, a, b };
    const items: JsonSchema = { type: 'object', required: ['name'], properties };
    const keyNames = keys === 1 ? ['name'] : ['port', 'name'];
    return { type: 'array', items, 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': keyNames };
  });
}

interface ValueOptions {
  readonly nulls: boolean;
}

function valueOf(schema: JsonSchema, { nulls }: ValueOptions = { nulls: true }): fc.Arbitrary<Json> {
  const value = plainValueOf(schema);
  return nulls ? fc.oneof({ weight: 12, arbitrary: value }, { weight: 1, arbitrary: fc.constant(null) }) : value;
}

function plainValueOf(schema: JsonSchema): fc.Arbitrary<Json> {
  switch (schema.type) {
    case 'string':
      return fc.constantFrom('x', 'y', 'z<');
    case 'integer':
      return fc.constantFrom(1, 2);
    case 'number':
      return fc.constantFrom(1, 1.5);
    case 'boolean':
      return fc.boolean();
    case 'array':
      return listValue(schema);
    case 'object':
      return objectValue(schema);
    case undefined:
    default:
      return schema['x-kubernetes-int-or-string'] ? fc.constantFrom(1, 'x') : anything;
  }
}

const anything: fc.Arbitrary<Json> = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom<Json>(1, 'x', true, null),
    fc.dictionary(fc.constantFrom(...NAMES), tie('value'), { maxKeys: 2 }),
    fc.array(tie('value'), { maxLength: 2 }),
  ),
})).value;

function listValue(schema: JsonSchema): fc.Arbitrary<Json> {
  const items = schema.items ?? {};
  if (schema['x-kubernetes-list-type'] !== 'map') {
    return fc.array(valueOf(items, { nulls: schema['x-kubernetes-list-type'] !== 'set' }), { maxLength: 3 });
  }
  const item = objectValue(items, { name: fc.constantFrom('x', 'y', 'z'), port: fc.constantFrom(80, 81, 9) });
  return fc.array(item, { maxLength: 3 });
}

function objectValue(schema: JsonSchema, fixed: Record<string, fc.Arbitrary<Json>> = {}): fc.Arbitrary<Json> {
  const fields: Record<string, fc.Arbitrary<Json>> = {};
  for (const [name, property] of Object.entries(schema.properties ?? {}))
    fields[name] = fixed[name] ?? valueOf(property);
  if (schema['x-kubernetes-embedded-resource']) {
    fields.apiVersion = fc.constantFrom('v1', 'v2');
    fields.metadata = fc.constantFrom<Json>(
      { name: 'x' },
      { name: 'y', finalizers: ['x'] },
      { finalizers: ['y', 'x'] },
    );
  }
  const requiredKeys = Object.keys(fixed).filter((name) => name === 'name');
  const known = fc.record(fields, { requiredKeys }) as fc.Arbitrary<JsonObject>;
  const { additionalProperties } = schema;
  const others = typeof additionalProperties === 'object' ? valueOf(additionalProperties) : anything;
  const isOpen = additionalProperties !== undefined || schema['x-kubernetes-preserve-unknown-fields'] === true;
  if (!isOpen) return known;
  const names = fc.constantFrom('p', 'q', 'r');
  return fc.tuple(fc.dictionary(names, others, { maxKeys: 2 }), known).map(([open, rest]) => ({ ...open, ...rest }));
}
