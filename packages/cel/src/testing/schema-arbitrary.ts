import fc from 'fast-check';
import type { JsonSchema, ValidationRule } from '../schema/json-schema.ts';

import { maybe } from './maybe.ts';
import { rules } from './rule-arbitrary.ts';
import { fittingValue, FORMATS } from './value-arbitrary.ts';

/** Names of fields, some of which need to be written differently in rules. */
export const FIELD_NAMES = ['a', 'b', 'size', 'c-d', 'e.f', 'namespace', 'x_y'] as const;

const name = fc.constantFrom(...FIELD_NAMES);

/** A schema of one field: any type, with the restrictions that go with it. */
export function fieldSchema(): fc.Arbitrary<JsonSchema> {
  return fc.letrec<{ field: JsonSchema }>((tie) => ({
    field: fc.oneof(
      { maxDepth: 3, depthIdentifier: 'schema' },
      {
        weight: 4,
        arbitrary: fc
          .oneof(text(), whole(), fractional(), fc.constant<JsonSchema>({ type: 'boolean' }))
          .chain(decorated),
      },
      { weight: 1, arbitrary: fc.oneof(intOrString(), free()).chain(decorated) },
      { weight: 3, arbitrary: objectOf(tie('field')).chain(decorated) },
      { weight: 2, arbitrary: fc.oneof(listOf(tie('field')), setOf(), keyedListOf(tie('field'))).chain(decorated) },
      { weight: 1, arbitrary: mapOf(tie('field')).chain(decorated) },
    ),
  })).field;
}

/** The schema of a kind, as in a CustomResourceDefinition: structural, with a spec and sometimes a status. */
export function kindSchema(): fc.Arbitrary<JsonSchema> {
  const part = objectOf(fieldSchema());
  return fc.record({ spec: part, status: maybe(part, 2), rule: rootRules() }).map(({ spec, status, rule }) => ({
    type: 'object',
    properties: { spec, ...(status ? { status } : {}) },
    ...(rule.length > 0 ? { 'x-kubernetes-validations': rule } : {}),
  }));
}

/** Sometimes what many schemas have: a default, null as a value, an alternative, a rule. */
function decorated(schema: JsonSchema): fc.Arbitrary<JsonSchema> {
  return fc
    .record({
      nullable: maybe(fc.constant(true), 8),
      default: maybe(fittingValue(schema), 12),
      junctor: maybe(junctor(schema), 8),
      rules: maybe(rules(schema), 6),
    })
    .map(({ nullable, default: value, junctor: alternatives, rules: checks }) => ({
      ...schema,
      ...(nullable ? { nullable } : {}),
      ...(value === undefined || value === null ? {} : { default: value }),
      ...alternatives,
      ...(checks ? { 'x-kubernetes-validations': checks } : {}),
    }));
}

const PATTERNS = [
  '^a',
  '^[a-z]+$',
  'b|c',
  '^.{2}$',
  String.raw`^\p{L}*$`,
  String.raw`\ba`,
  '(?i)^AB?$',
  '[[:alpha:]]{2,}',
  '^$',
];

function text(): fc.Arbitrary<JsonSchema> {
  return fc.oneof(
    fc
      .record({
        minLength: maybe(fc.integer({ min: 0, max: 4 }), 3),
        maxLength: maybe(fc.integer({ min: 2, max: 6 }), 2),
      })
      .map(clean('string')),
    fc.constantFrom(...PATTERNS).map((pattern): JsonSchema => ({ type: 'string', maxLength: 9, pattern })),
    fc.constantFrom<JsonSchema[]>({ type: 'string', enum: ['a', 'ab'] }, { type: 'string', enum: ['b'] }),
    fc.constantFrom(...FORMATS).map((format): JsonSchema => ({ type: 'string', format })),
  );
}

function whole(): fc.Arbitrary<JsonSchema> {
  const bound = fc.integer({ min: -3, max: 5 });
  return fc
    .record({
      minimum: maybe(bound, 2),
      maximum: maybe(bound, 2),
      exclusiveMaximum: maybe(fc.constant(true), 4),
      exclusiveMinimum: maybe(fc.constant(true), 6),
      multipleOf: maybe(fc.constantFrom(1, 2, 3, 0.5), 5),
      format: maybe(fc.constantFrom('int32', 'int64', 'uint8', 'date'), 4),
      enum: maybe(fc.constantFrom([1, 2], [0, 3, 5]), 6),
    })
    .map(clean('integer'));
}

function fractional(): fc.Arbitrary<JsonSchema> {
  const bound = fc.constantFrom(-1.5, 0, 0.5, 2, 3.25);
  return fc
    .record({
      minimum: maybe(bound, 2),
      maximum: maybe(bound, 2),
      exclusiveMinimum: maybe(fc.constant(true), 4),
      multipleOf: maybe(fc.constantFrom(0.5, 0.1, 0.01, 2), 4),
      format: maybe(fc.constantFrom('double', 'float'), 5),
      enum: maybe(fc.constantFrom([0.5, 1], [1.5]), 8),
    })
    .map(clean('number'));
}

function clean(type: string): (restrictions: JsonSchema) => JsonSchema {
  return (restrictions) => ({
    type,
    ...Object.fromEntries(Object.entries(restrictions).filter(([, value]) => value !== undefined)),
  });
}

const intOrString = (): fc.Arbitrary<JsonSchema> =>
  fc.constantFrom<JsonSchema[]>(
    { 'x-kubernetes-int-or-string': true },
    { 'x-kubernetes-int-or-string': true, maxLength: 3, minimum: 1 },
    { 'x-kubernetes-int-or-string': true, anyOf: [{ type: 'integer' }, { type: 'string' }] },
    { 'x-kubernetes-int-or-string': true, pattern: '^[0-9]+%$' },
    { 'x-kubernetes-int-or-string': true, enum: [1, 'a', '50%'] },
    {
      'x-kubernetes-int-or-string': true,
      allOf: [{ anyOf: [{ type: 'integer' }, { type: 'string' }] }, { maximum: 3 }],
    },
  );

const free = (): fc.Arbitrary<JsonSchema> =>
  fc.constantFrom<JsonSchema[]>(
    { 'x-kubernetes-preserve-unknown-fields': true },
    { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
    { type: 'object', 'x-kubernetes-preserve-unknown-fields': true, 'x-kubernetes-embedded-resource': true },
    {
      type: 'object',
      'x-kubernetes-embedded-resource': true,
      properties: {
        kind: { type: 'string', enum: ['Pod', 'pod_'] },
        metadata: { type: 'object', properties: { name: { type: 'string', maxLength: 2 } } },
        spec: { type: 'object', properties: { a: { type: 'string', default: 'a' } } },
      },
    },
    {
      type: 'object',
      'x-kubernetes-preserve-unknown-fields': true,
      properties: { a: { type: 'object', properties: { b: { type: 'integer', default: 3 } } } },
    },
  );

function objectOf(field: fc.Arbitrary<JsonSchema>): fc.Arbitrary<JsonSchema> {
  return fc
    .record({
      properties: fc.dictionary(name, field, { minKeys: 1, maxKeys: 4, noNullPrototype: true }),
      required: maybe(fc.uniqueArray(name, { maxLength: 2 }), 3),
      preserve: maybe(fc.constant(true), 8),
      maxProperties: maybe(fc.integer({ min: 1, max: 3 }), 10),
    })
    .map(({ properties, required, preserve, maxProperties }) => ({
      ...clean('object')({ properties, maxProperties }),
      ...(required ? { required: required.filter((wanted) => Object.hasOwn(properties, wanted)) } : {}),
      ...(preserve ? { 'x-kubernetes-preserve-unknown-fields': true } : {}),
    }));
}

function listOf(item: fc.Arbitrary<JsonSchema>): fc.Arbitrary<JsonSchema> {
  return fc
    .record({
      items: item,
      minItems: maybe(fc.constantFrom(1, 2), 4),
      maxItems: maybe(fc.integer({ min: 1, max: 3 }), 2),
    })
    .map(clean('array'));
}

const setOf = (): fc.Arbitrary<JsonSchema> =>
  fc
    .constantFrom<JsonSchema[]>({ type: 'string' }, { type: 'integer' }, { type: 'string', maxLength: 3 })
    .map((items) => ({ type: 'array', items, 'x-kubernetes-list-type': 'set', maxItems: 4 }));

function keyedListOf(field: fc.Arbitrary<JsonSchema>): fc.Arbitrary<JsonSchema> {
  const keySchema = fc.constantFrom<JsonSchema[]>(
    { type: 'string' },
    { type: 'integer' },
    { type: 'string', default: 'a' },
  );
  return fc.tuple(keySchema, field).map(([k, v]) => ({
    type: 'array',
    'x-kubernetes-list-type': 'map',
    'x-kubernetes-list-map-keys': ['k'],
    maxItems: 4,
    items: { type: 'object', properties: { k, v }, ...(k.default === undefined ? { required: ['k'] } : {}) },
  }));
}

const mapOf = (field: fc.Arbitrary<JsonSchema>): fc.Arbitrary<JsonSchema> =>
  fc.oneof(
    {
      weight: 5,
      arbitrary: field.map(
        (additionalProperties): JsonSchema => ({ type: 'object', additionalProperties, maxProperties: 3 }),
      ),
    },
    { weight: 1, arbitrary: fc.constant<JsonSchema>({ type: 'object', additionalProperties: true }) },
  );

function junctor(schema: JsonSchema): fc.Arbitrary<JsonSchema> {
  const parts = fc.array(restriction(schema), { minLength: 1, maxLength: 3 });
  if (schema.anyOf) return fc.constant({});
  return fc.oneof(
    parts.map((anyOf) => ({ anyOf })),
    parts.map((allOf) => ({ allOf })),
    parts.map((oneOf) => ({ oneOf })),
    restriction(schema).map((not) => ({ not })),
  );
}

function restriction({ type, properties = {} }: JsonSchema): fc.Arbitrary<JsonSchema> {
  switch (type) {
    case 'string':
      return fc.constantFrom<JsonSchema[]>({ minLength: 2 }, { maxLength: 1 }, { pattern: '^a' }, { enum: ['a', 'b'] });
    case 'integer':
    case 'number':
      return fc.constantFrom<JsonSchema[]>({ minimum: 2 }, { maximum: 0 }, { multipleOf: 2 });
    case 'array':
      return fc.constantFrom<JsonSchema[]>({ minItems: 1 }, { maxItems: 1 });
    case 'object': {
      const required = Object.keys(properties).map((wanted): JsonSchema => ({ required: [wanted] }));
      return fc.constantFrom<JsonSchema[]>({ minProperties: 1 }, { maxProperties: 1 }, ...required);
    }
    default:
      return fc.constantFrom<JsonSchema[]>({}, { minLength: 1 });
  }
}

function rootRules(): fc.Arbitrary<readonly ValidationRule[]> {
  const rule = fc.constantFrom(
    "self.metadata.name != 'bad'",
    'has(self.spec)',
    "!has(self.status) || self.kind != ''",
    'self.spec == oldSelf.spec',
  );
  return fc.oneof(
    { weight: 3, arbitrary: fc.constant([]) },
    { weight: 1, arbitrary: rule.map((text) => [{ rule: text }]) },
  );
}
