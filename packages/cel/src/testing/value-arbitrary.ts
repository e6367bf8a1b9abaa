import fc from 'fast-check';
import type { JsonSchema } from '../schema/json-schema.ts';

/** JSON of any kind, small. */
export const anyValue: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom(null, true, false, 0, 1, 2, -1, 1.5, 7, '', 'a', 'ab', 'bcd', 'é'),
  fc.constantFrom<unknown[]>([], ['a'], ['a', 'a'], [1, 2], [null], [{ k: 'a' }]),
  fc.constantFrom<unknown[]>({}, { a: 1 }, { a: 'a', b: 'b' }, { k: 'a', v: null }, { zz: { a: 1 } }),
);

const TEXT = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom('', 'a', 'ab', 'abc', 'b', 'ba', 'zz', 'é') },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      '1',
      '50%',
      '1Gi',
      '1.2.3',
      '10.0.0.1',
      'AB',
      '👍👍',
      'a\n"b',
      ' a ',
      'https://a.example/x',
      '2s',
    ),
  },
);

/** Texts by format, right and wrong ones. */
const FORMATTED: Readonly<Record<string, readonly string[]>> = {
  date: ['2024-02-29', '2023-02-29', '2024-1-1', '2024-02-29T00:00:00Z'],
  'date-time': ['2024-02-29T10:00:00Z', '2024-02-29t10:00:00.5+01:00', '2024-02-29 10:00:00', '2024-02-29T10:00:00'],
  datetime: ['2024-02-29T10:00:00Z', '2024-02-29'],
  duration: ['1h', '90s', '2 days', 'soon', '1.5h', '-3m', '0', '5 weeks', ''],
  ipv4: ['10.0.0.1', '010.0.0.1', '256.0.0.1', '::1', '::ffff:10.0.0.1'],
  ipv6: ['::1', '10.0.0.1', 'fe80::1%eth0', '::ffff:10.0.0.1', ':::'],
  cidr: ['10.0.0.0/8', '::/0', '10.0.0.0', '10.0.0.1/33', '010.0.0.0/8'],
  mac: ['00:00:5e:00:53:01', '0000.5e00.5301', '00-00-5E-00-53-01', '00:00'],
  uuid: ['00000000-0000-0000-0000-000000000000', '123E4567e89b12d3a456426614174000', 'x'],
  uuid3: ['123e4567-e89b-32d3-a456-426614174000', '123e4567-e89b-42d3-a456-426614174000'],
  uuid4: ['123e4567-e89b-42d3-a456-426614174000', '123e4567-e89b-42d3-7456-426614174000'],
  uuid5: ['123e4567-e89b-52d3-a456-426614174000', 'x'],
  byte: ['YWJj', 'YWJ', '', 'YWI=', 'YW_j', 'YQ=='],
  password: ['', 'secret'],
  email: ['a@b.example', 'A <a@b>', 'a@', '"a b"@c', 'a@b@c'],
  hostname: ['a', 'a.example', '-a', 'a_b.example', 'é.example', 'a.1', ''],
  uri: ['https://a.example/x', '/x', 'x', 'a:b', 'https://a.example/%zz', ''],
  isbn: ['0321751043', '978-0321751041', '0321751044'],
  isbn10: ['0321751043', '0-321-75104-3', '080442957X'],
  isbn13: ['978-0321751041', '9780321751042'],
  creditcard: ['4111111111111111', '4111 1111 1111 1111', '4111111111111112'],
  ssn: ['111-11-1111', '111 11 1111', '111111111'],
  hexcolor: ['#fff', 'ffffff', '#ff'],
  rgbcolor: ['rgb(1, 2,3)', 'rgb(256,0,0)', 'rgb(01,0,0)'],
  bsonobjectid: ['507f1f77bcf86cd799439011', 'x'],
  'k8s-short-name': ['a', 'a-', 'A', 'a.b'],
  'k8s-long-name': ['a.b', 'a..b', ''],
  'made-up': ['x'],
};

/** The names of formats, one of which nobody knows. */
export const FORMATS: readonly string[] = Object.keys(FORMATTED);

/** A value that a schema describes. It may break restrictions, but is of the right type, all the way down. */
export function fittingValue(schema: JsonSchema): fc.Arbitrary<unknown> {
  if (schema['x-kubernetes-int-or-string']) return fc.oneof(fc.constantFrom(0, 1, 5), TEXT);
  switch (schema.type) {
    case 'string':
      return textFor(schema);
    case 'integer':
      return fc.oneof(
        fc.constantFrom(...numbersOf(schema), 0, 1, 2),
        fc.integer({ min: -2, max: 6 }),
        fc.constantFrom(300, 2147483648, -9007199254740991),
      );
    case 'number':
      return fc.constantFrom(0, 0.25, 0.3, 0.5, 1, 1.5, 2, 3.25, -1.5, 1e21, 1e-7, 123456789.125);
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

/**
 * A value for a schema as it may have been stored before there was the schema. Where there are rules it is of the right
 * type: what rules make of others depends in Kubernetes on the order in which it happens to visit fields.
 */
export function storedValue(schema: JsonSchema): fc.Arbitrary<unknown> {
  return JSON.stringify(schema).includes('x-kubernetes-validations') ? soundValue(schema) : sentValue(schema);
}

/** Of the right type all the way down, maybe with fields that the schema does not know. */
function soundValue(schema: JsonSchema): fc.Arbitrary<unknown> {
  if (schema.type === 'array') return fc.array(soundValue(schema.items ?? {}), { maxLength: 4 });
  return schema.type === 'object' ? fieldsFor(schema, soundValue) : fittingValue(schema);
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
  if (schema['x-kubernetes-embedded-resource']) return valueFor === fittingValue ? soundResource : resource;
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

const soundResource = fc.constantFrom<unknown[]>(
  { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a', labels: { app: 'a' } } },
  { apiVersion: 'apps/v1', kind: 'Deployment', metadata: {}, spec: { a: 'x' } },
);

const resource = fc.constantFrom<unknown[]>(
  { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a', labels: { app: 'a' } } },
  { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a/b', unknown: 1 }, extra: { x: 1 } },
  { apiVersion: 'v1', kind: 'pod_' },
  { kind: 'Pod' },
  { apiVersion: 'apps/v1', kind: 'Pod', metadata: { generateName: 'a-', labels: { 'a b': 'c' }, finalizers: ['x'] } },
  { apiVersion: 'a/b/c', kind: 'Pod', metadata: { annotations: { a: 1 } } },
  { apiVersion: 'v1', kind: 'Pod', metadata: null, spec: { a: 1, b: 2 } },
  { apiVersion: 'v1', kind: 'Pod', metadata: { creationTimestamp: 'soon', name: 'abc' }, spec: {} },
);
