import { describe, expect, it } from 'vitest';

import type { Json, JsonObject } from '../objects/api-object.ts';
import { copyJson, isObject, ownValue, sameJson, setValue } from './json-value.ts';

describe('isObject', () => {
  it.each<[unknown, boolean]>([
    [{}, true],
    [{ a: 1 }, true],
    [[], false],
    [null, false],
    [undefined, false],
    ['text', false],
    [1, false],
  ])('%j: %s', (value, expected) => {
    expect(isObject(value)).toBe(expected);
  });
});

describe('ownValue', () => {
  it('does not find what every object inherits', () => {
    expect(ownValue({}, 'constructor')).toBeUndefined();
    expect(ownValue({}, '__proto__')).toBeUndefined();
    expect(ownValue({ constructor: 'x' }, 'constructor')).toBe('x');
  });
});

describe('setValue', () => {
  it('sets a key called __proto__ without touching the prototype', () => {
    const object: JsonObject = {};
    setValue(object, '__proto__', { polluted: true });
    expect(Object.keys(object)).toEqual(['__proto__']);
    expect(Object.getPrototypeOf(object)).toBe(Object.prototype);
    expect('polluted' in object).toBe(false);
  });
});

describe('copyJson', () => {
  it('shares nothing with its source', () => {
    const source = { a: { b: [1, { c: null }] } };
    const copy = copyJson(source);
    copy.a.b.push(2);
    expect(source).toEqual({ a: { b: [1, { c: null }] } });
    expect(copy).toEqual({ a: { b: [1, { c: null }, 2] } });
  });

  it('keeps a key called __proto__ as a key', () => {
    const source = JSON.parse('{"__proto__": {"a": 1}}') as JsonObject;
    expect(JSON.stringify(copyJson(source))).toBe('{"__proto__":{"a":1}}');
  });
});

describe('sameJson', () => {
  it.each<[Json, Json]>([
    [null, null],
    [1, 1],
    ['a', 'a'],
    [[], []],
    [
      { a: 1, b: [true, null] },
      { b: [true, null], a: 1 },
    ],
  ])('%j is %j', (left, right) => {
    expect(sameJson(left, right)).toBe(true);
    expect(sameJson(right, left)).toBe(true);
  });

  it.each<[Json, Json]>([
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
    expect(sameJson(left, right)).toBe(false);
    expect(sameJson(right, left)).toBe(false);
  });
});
