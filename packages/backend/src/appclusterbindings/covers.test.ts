import { describe, expect, it } from 'vitest';
import { covers, digestOf } from './covers.ts';

describe('an object', () => {
  it.each<[unknown, unknown, boolean]>([
    [{ a: 1, b: 2 }, { a: 1 }, true],
    [{ a: 1 }, { a: 2 }, false],
    [{}, { a: 1 }, false],
    [undefined, { a: 1 }, false],
    [{ a: 1 }, { a: undefined }, true],
    [[1, 2], [1, 2], true],
    [[1, 2], [1], false],
    [[2, 1], [1, 2], false],
    [[], [], true],
    [[1], [], false],
    [{ a: 1 }, [1], false],
    [[{ name: 'x', image: 'i', extra: 1 }, { name: 'sidecar' }], [{ name: 'x', image: 'i' }], true],
    [[{ name: 'x', image: 'j' }], [{ name: 'x', image: 'i' }], false],
    [[{ name: 'y', image: 'i' }], [{ name: 'x', image: 'i' }], false],
    [[{ verbs: ['get'] }, { verbs: ['*'] }], [{ verbs: ['get'] }], false],
  ])('%j holds, or does not hold, %j', (actual, wanted, isCovered) => {
    expect(covers(actual, wanted)).toBe(isCovered);
  });
});

describe('a digest', () => {
  it('does not depend on the order of keys, nor on keys without a value', () => {
    expect(digestOf({ a: 1, b: [{ c: 2, d: 3 }] })).toBe(digestOf({ b: [{ d: 3, c: 2 }], a: 1, x: undefined }));
    expect(digestOf({ a: 1 })).not.toBe(digestOf({ a: 2 }));
    expect(digestOf([1, 2])).not.toBe(digestOf([2, 1]));
  });
});
