import fc from 'fast-check';

import type { JsonSchema, ValidationRule } from '../types.ts';
import { fittingValue } from './value-arbitrary.ts';

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

/** A value once in so many times. */
function maybe<T>(arbitrary: fc.Arbitrary<T>, outOf: number): fc.Arbitrary<T | undefined> {
  return fc.oneof({ weight: outOf - 1, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary });
}

function text(): fc.Arbitrary<JsonSchema> {
  return fc.oneof(
    fc
      .record({
        minLength: maybe(fc.integer({ min: 0, max: 4 }), 3),
        maxLength: maybe(fc.integer({ min: 2, max: 6 }), 2),
      })
      .map(clean('string')),
    fc.constantFrom('^a', '^[a-z]+$', 'b|c', '^.{2}$').map((pattern): JsonSchema => ({ type: 'string', pattern })),
    fc.constantFrom<JsonSchema[]>({ type: 'string', enum: ['a', 'ab'] }, { type: 'string', enum: ['b'] }),
    fc
      .constantFrom(
        'date',
        'date-time',
        'duration',
        'ipv4',
        'cidr',
        'uuid',
        'byte',
        'email',
        'hostname',
        'uri',
        'made-up',
      )
      .map((format): JsonSchema => ({ type: 'string', format })),
  );
}

function whole(): fc.Arbitrary<JsonSchema> {
  const bound = fc.integer({ min: -3, max: 5 });
  return fc
    .record({
      minimum: maybe(bound, 2),
      maximum: maybe(bound, 2),
      exclusiveMaximum: maybe(fc.constant(true), 4),
      multipleOf: maybe(fc.constantFrom(1, 2, 3), 5),
      format: maybe(fc.constantFrom('int32', 'int64'), 4),
      enum: maybe(fc.constantFrom([1, 2], [0, 3, 5]), 6),
    })
    .map(clean('integer'));
}

function fractional(): fc.Arbitrary<JsonSchema> {
  const bound = fc.constantFrom(-1.5, 0, 0.5, 2, 3.25);
  return fc
    .record({ minimum: maybe(bound, 2), maximum: maybe(bound, 2), multipleOf: maybe(fc.constantFrom(0.5, 0.25, 2), 5) })
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
  );

const free = (): fc.Arbitrary<JsonSchema> =>
  fc.constantFrom<JsonSchema[]>(
    { 'x-kubernetes-preserve-unknown-fields': true },
    { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
    { type: 'object', 'x-kubernetes-preserve-unknown-fields': true, 'x-kubernetes-embedded-resource': true },
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

const RULES: Readonly<Record<string, readonly string[]>> = {
  string: [
    "self != 'a'",
    'self == oldSelf',
    'self.size() < 3',
    "self.startsWith('a') || self.matches('^b')",
    'oldSelf.size() <= self.size()',
  ],
  integer: ['self > 0', 'self >= oldSelf', 'self % 2 == 0', '10 / self > 2'],
  number: ['self > 0.5', 'self <= 3', 'double(int(self)) == self'],
  boolean: ['self', '!self || oldSelf'],
  array: ['size(self) < 3', 'self == oldSelf', 'self.size() >= oldSelf.size()'],
  object: [
    'self == oldSelf',
    'has(self.a)',
    '!has(self.a) || has(self.b)',
    'self.a == self.b',
    'size(self) > 0',
    'self.c__dash__d == self.e__dot__f',
  ],
};

/** Rules that may or may not compile; both servers must agree on that as well. */
function rules({ type = '', format }: JsonSchema): fc.Arbitrary<readonly ValidationRule[]> {
  const known = format === undefined ? (RULES[type] ?? ['true']) : ['self == self', 'self == oldSelf'];
  const rule = fc.record(
    {
      rule: fc.constantFrom(...known, 'true'),
      message: fc.constant('must be fine'),
      reason: fc.constantFrom('FieldValueForbidden', 'FieldValueInvalid', 'FieldValueRequired', 'FieldValueDuplicate'),
      messageExpression: fc.constantFrom("'computed'", "'of ' + 'abc'", "''"),
    },
    { requiredKeys: ['rule'] },
  );
  return fc.array(rule, { minLength: 1, maxLength: 2 });
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
