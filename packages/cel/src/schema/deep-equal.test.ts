import { describe, expect, it } from 'vitest';
import { deepEqual } from './deep-equal.ts';

describe('deepEqual', () => {
  it.each<[unknown, unknown]>([
    [null, null],
    [1, 1],
    ['a', 'a'],
    [[], []],
    [
      { a: 1, b: [true, null] },
      { b: [true, null], a: 1 },
    ],
  ])('%j is %j', (left, right) => {
    expect(deepEqual(left, right)).toBe(true);
    expect(deepEqual(right, left)).toBe(true);
  });

  it.each<[unknown, unknown]>([
    [null, {}],
    [null, false],
    [0, '0'],
    [[], {}],
    [
      [1, 2],
      [2, 1],
    ],
    [{ a: null }, {}],
    [{ a: 1 }, { b: 1 }],
    [{ a: { b: 1 } }, { a: { b: 2 } }],
    [{ toString: 1 }, { b: 1 }],
  ])('%j is not %j', (left, right) => {
    expect(deepEqual(left, right)).toBe(false);
    expect(deepEqual(right, left)).toBe(false);
  });
});
