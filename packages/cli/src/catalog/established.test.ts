import { expect, it } from 'vitest';
import { followsFrom } from './established.ts';

const rules = [{ rule: 'true', message: 'no' }];
const expected = { properties: { plan: { type: 'string' } }, 'x-kubernetes-validations': rules };

it.each<[string, Parameters<typeof followsFrom>[1], boolean]>([
  ['has the same fields and rules', expected, true],
  ['has more fields, of the engine', { ...expected, properties: { ...expected.properties, more: {} } }, true],
  ['has other rules', { ...expected, 'x-kubernetes-validations': [] }, false],
  ['has another field', { ...expected, properties: { plan: { type: 'integer' } } }, false],
  ['lacks a field', { ...expected, properties: {} }, false],
  ['is empty', {}, false],
])('a CRD that %s follows from its definition: %j', (_, live, follows) => {
  expect(followsFrom(expected, live)).toBe(follows);
});

it('leaves fields of the engine to the engine', () => {
  const withEngine = { ...expected, properties: { ...expected.properties, compositionRef: { type: 'object' } } };
  expect(followsFrom(withEngine, expected)).toBe(true);
});
