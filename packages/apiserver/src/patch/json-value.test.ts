import { describe, expect, it } from 'vitest';

import type { JsonObject } from '../objects/api-object.ts';
import { copyJson, isObject, ownValue, setValue } from './json-value.ts';

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
