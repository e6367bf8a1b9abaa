import { describe, expect, it } from 'vitest';
import { isTooDeep, maxDepth } from './depth.ts';

const nested = (depth: number, around: (inner: unknown) => unknown): unknown => {
  let value: unknown = 1;
  for (let level = 0; level < depth; level++) value = around(value);
  return value;
};

describe('isTooDeep', () => {
  it.each([
    ['lists', (inner: unknown) => [0, inner, 'text']],
    ['objects', (inner: unknown) => ({ a: null, inner })],
  ])('counts levels of %s', (_, around) => {
    expect(isTooDeep(nested(maxDepth, around))).toBe(false);
    expect(isTooDeep(nested(maxDepth + 1, around))).toBe(true);
    expect(isTooDeep(nested(200_000, around))).toBe(true);
  });

  it('does not mind breadth', () => {
    expect(isTooDeep(Array.from({ length: 100_000 }, () => ({})))).toBe(false);
  });
});
