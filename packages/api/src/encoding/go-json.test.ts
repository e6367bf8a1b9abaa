import { describe, expect, it } from 'vitest';
import { encodeList, encodeMap, encodeRaw, encodeStruct, type GoField } from './go-json.ts';

describe('a Go struct', () => {
  const fields: readonly GoField[] = [
    { name: 'b', whenMissing: '' },
    { name: 'a', omit: 'zero' },
    { name: 'p', omit: 'nil' },
  ];

  it('is written in the order of its declaration', () => {
    expect(encodeStruct(fields, { p: 1, a: 2, b: 3 })).toBe('{"b":3,"a":2,"p":1}');
  });

  it.each([undefined, null, false, 0, '', [], {}])('leaves out a value that is %j', (zero) => {
    expect(encodeStruct(fields, { b: '', a: zero })).toBe('{"b":""}');
  });

  it.each([false, 0, '', [], {}])('keeps a pointer to %j', (zero) => {
    expect(encodeStruct(fields, { b: '', p: zero })).toBe(`{"b":"","p":${JSON.stringify(zero)}}`);
  });

  it.each([undefined, null])('leaves out a pointer that is %j', (nil) => {
    expect(encodeStruct(fields, { b: '', p: nil })).toBe('{"b":""}');
  });

  it('writes what must be there even if it is missing', () => {
    expect(encodeStruct(fields, {})).toBe('{"b":""}');
    expect(encodeStruct(fields, undefined)).toBe('{"b":""}');
  });

  it('does not lose fields that Go does not know', () => {
    expect(encodeStruct(fields, { z: { y: 1, x: 2 }, b: '', c: [], gone: undefined })).toBe(
      '{"b":"","c":[],"z":{"y":1,"x":2}}',
    );
  });
});

describe('other Go values', () => {
  it('sorts the keys of a map by their bytes', () => {
    expect(encodeMap({ '😀': 1, '\ue000': 2, b: 3, a: 4 }, encodeRaw)).toBe('{"a":4,"b":3,"\ue000":2,"😀":1}');
  });

  it('keeps the order of JSON that Go carries unparsed', () => {
    expect(encodeRaw({ b: [null, true], a: 1.5 })).toBe('{"b":[null,true],"a":1.5}');
  });

  it('escapes what would matter in HTML and JavaScript, in keys too', () => {
    expect(encodeRaw({ '<k>': 'a & b\u2028\u2029' })).toBe(String.raw`{"\u003ck\u003e":"a \u0026 b\u2028\u2029"}`);
  });

  it('writes lists entry by entry, and null for what is none', () => {
    expect(encodeList([1, 'a'], encodeRaw)).toBe('[1,"a"]');
    expect(encodeList(undefined, encodeRaw)).toBe('null');
    expect(encodeMap(undefined, encodeRaw)).toBe('null');
  });
});
