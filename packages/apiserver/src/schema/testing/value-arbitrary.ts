import fc from 'fast-check';

import type { JsonSchema } from '../types.ts';

/** JSON of any kind, small. */
export const anyValue: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom(null, true, false, 0, 1, 2, -1, 1.5, 7, '', 'a', 'ab', 'bcd', 'é'),
  fc.constantFrom<unknown[]>([], ['a'], ['a', 'a'], [1, 2], [null], [{ k: 'a' }]),
  fc.constantFrom<unknown[]>({}, { a: 1 }, { a: 'a', b: 'b' }, { k: 'a', v: null }, { zz: { a: 1 } }),
);

const TEXT = fc.constantFrom('', 'a', 'ab', 'abc', 'b', 'ba', 'zz', 'é');

const FORMATTED: Readonly<Record<string, readonly string[]>> = {
  date: ['2024-02-29', '2023-02-29', '2024-1-1'],
  'date-time': ['2024-02-29T10:00:00Z', '2024-02-29t10:00:00.5+01:00', '2024-02-29 10:00:00'],
  duration: ['1h', '90s', '2 days', 'soon'],
  ipv4: ['10.0.0.1', '010.0.0.1', '256.0.0.1'],
  cidr: ['10.0.0.0/8', '::/0', '10.0.0.0'],
  uuid: ['00000000-0000-0000-0000-000000000000', 'x'],
  byte: ['YWJj', 'YWJ', ''],
  email: ['a@b.example', 'A <a@b>', 'a@'],
  hostname: ['a', 'a.example', '-a'],
  uri: ['https://a.example/x', '/x', 'x'],
  'made-up': ['x'],
};

/** A value that a schema describes. It may break restrictions, but is of the right type, all the way down. */
export function fittingValue(schema: JsonSchema): fc.Arbitrary<unknown> {
  if (schema['x-kubernetes-int-or-string']) return fc.oneof(fc.constantFrom(0, 1, 5), TEXT);
  switch (schema.type) {
    case 'string':
      return textFor(schema);
    case 'integer':
      return fc.oneof(fc.constantFrom(...numbersOf(schema), 0, 1, 2), fc.integer({ min: -2, max: 6 }));
    case 'number':
      return fc.constantFrom(0, 0.25, 0.5, 1, 1.5, 2, 3.25);
    case 'boolean':
      return fc.boolean();
    case 'array':
      return fc.array(fittingValue(schema.items ?? {}), { minLength: Math.min(schema.minItems ?? 0, 2), maxLength: 3 });
    case 'object':
      return fieldsFor(schema, fittingValue);
    default:
      return anyValue;
  }
}

/** A value for a schema as a client might send it: mostly fitting, sometimes with something wrong or unknown in it. */
export function sentValue(schema: JsonSchema): fc.Arbitrary<unknown> {
  return fc.oneof(
    { weight: 12, arbitrary: mostlyFitting(schema) },
    { weight: 1, arbitrary: anyValue },
    { weight: 1, arbitrary: fc.constant(null) },
  );
}

function mostlyFitting(schema: JsonSchema): fc.Arbitrary<unknown> {
  if (schema.type === 'array') return fc.array(sentValue(schema.items ?? {}), { maxLength: 4 });
  return schema.type === 'object' ? fieldsFor(schema, sentValue) : fittingValue(schema);
}

function textFor({ enum: allowed, format }: JsonSchema): fc.Arbitrary<unknown> {
  const formatted = format === undefined ? undefined : FORMATTED[format];
  if (formatted) return fc.constantFrom(...formatted);
  return allowed ? fc.oneof(fc.constantFrom(...allowed), TEXT) : TEXT;
}

const numbersOf = ({ enum: allowed = [], minimum, maximum }: JsonSchema): number[] =>
  [...allowed, minimum, maximum].filter(
    (value): value is number => typeof value === 'number' && Number.isInteger(value),
  );

function fieldsFor(schema: JsonSchema, valueFor: (schema: JsonSchema) => fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  const { properties = {}, additionalProperties, required = [] } = schema;
  if (schema['x-kubernetes-embedded-resource']) return embedded;
  if (typeof additionalProperties === 'object') {
    return fc.dictionary(fc.constantFrom('a', 'b', 'c/d'), valueFor(additionalProperties), {
      maxKeys: 4,
      noNullPrototype: true,
    });
  }
  const known = fc.record(
    Object.fromEntries(Object.entries(properties).map(([name, property]) => [name, valueFor(property)])),
    { requiredKeys: [], noNullPrototype: true },
  );
  const complete = fc.record(Object.fromEntries(required.map((name) => [name, valueFor(properties[name] ?? {})])), {
    noNullPrototype: true,
  });
  const stray =
    valueFor === fittingValue
      ? fc.constant({})
      : fc.oneof({ weight: 4, arbitrary: fc.constant({}) }, { weight: 1, arbitrary: unknownField });
  return fc
    .tuple(known, fc.oneof({ weight: 5, arbitrary: complete }, { weight: 1, arbitrary: fc.constant({}) }), stray)
    .map(([one, two, three]) => ({ ...one, ...two, ...three }));
}

const unknownField = fc
  .tuple(fc.constantFrom('zz', 'unknown', 'metadata'), anyValue)
  .map(([name, value]) => ({ [name]: value }));

const embedded = fc.constantFrom<unknown[]>(
  { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a', labels: { app: 'a' } } },
  { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a/b', unknown: 1 }, extra: { x: 1 } },
  { apiVersion: 'v1', kind: 'pod_' },
  { kind: 'Pod' },
);
