import type { Schema } from '@klutch/catalog';
import fc from 'fast-check';

const texts = ['', 'x', '0', '10', '1kb', 'dynamic', '[]', "['save 900 1']", 'KEA', 'off', '2026-01-01T00:00:00Z'];

/** Values that a schema of the catalogue allows. */
export function allowed(schema: Schema): fc.Arbitrary<unknown> {
  if (Array.isArray(schema['enum'])) return fc.constantFrom(...(schema['enum'] as readonly unknown[]));
  if (schema['x-kubernetes-int-or-string'] === true) return fc.constantFrom(0, 100, 'off');
  switch (schema['type']) {
    case 'boolean':
      return fc.boolean();
    case 'integer':
    case 'number':
      return numbers(schema);
    case 'array':
      return fc.array(allowed((schema['items'] ?? {}) as Schema), { maxLength: 2 });
    case 'object':
      return objects(schema);
    default:
      return fc.constantFrom(...texts.filter((text) => new RegExp(String(schema['pattern'] ?? '')).test(text)));
  }
}

/** Values that are a little wrong for most schemas. */
export function wrong(schema: Schema): fc.Arbitrary<unknown> {
  const { minimum, maximum } = schema;
  const limits = [
    ...(typeof minimum === 'number' ? [minimum - 1] : []),
    ...(typeof maximum === 'number' ? [maximum + 1] : []),
  ];
  const choices = Array.isArray(schema['enum'])
    ? [String(schema['enum'][0]).toLowerCase(), `${String(schema['enum'][0])} `]
    : [];
  return fc.constantFrom<unknown>(...limits, ...choices, 1.5, 'notice', 'save 1', true, ['x', 1], { x: 1 });
}

function numbers({ minimum = 0, maximum = 2_000_000, not }: Schema): fc.Arbitrary<number> {
  const [low, high] = [Number(minimum), Number(maximum)];
  const some = [low, low + 1, Math.min(low + 500, high), high];
  return fc.constantFrom(...some.filter((one) => not === undefined || one !== 0));
}

function objects({ properties = {}, required = [] }: Schema): fc.Arbitrary<unknown> {
  const fields = Object.entries(properties as Readonly<Record<string, Schema>>);
  return fc.record(Object.fromEntries(fields.map(([name, schema]) => [name, allowed(schema)])), {
    requiredKeys: required as string[],
  });
}
