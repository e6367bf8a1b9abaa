import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import type { Json, JsonObject } from '../objects/api-object.ts';
import { applyMergePatch } from './merge-patch.ts';

describe('applyMergePatch', () => {
  it.each<{ name: string; document: JsonObject; patch: Json; result: Json }>([
    { name: 'sets a field', document: { a: 'b' }, patch: { a: 'c' }, result: { a: 'c' } },
    { name: 'adds a field', document: { a: 'b' }, patch: { b: 'c' }, result: { a: 'b', b: 'c' } },
    { name: 'removes a field', document: { a: 'b', b: 'c' }, patch: { a: null }, result: { b: 'c' } },
    { name: 'ignores removal of a missing field', document: { a: 'b' }, patch: { c: null }, result: { a: 'b' } },
    { name: 'replaces lists', document: { a: [1, 2] }, patch: { a: [3] }, result: { a: [3] } },
    {
      name: 'goes into objects',
      document: { a: { b: 'c', d: { e: 1 } } },
      patch: { a: { b: 'd', c: null, d: { f: 2 } } },
      result: { a: { b: 'd', d: { e: 1, f: 2 } } },
    },
    {
      name: 'puts an object where a list was',
      document: { a: [1] },
      patch: { a: { b: 1, c: null } },
      result: { a: { b: 1 } },
    },
    {
      name: 'puts an object where null was',
      document: { a: null },
      patch: { a: { b: null, c: 1 } },
      result: { a: { c: 1 } },
    },
    {
      name: 'drops nulls of new objects',
      document: {},
      patch: { a: { bb: { ccc: null } } },
      result: { a: { bb: {} } },
    },
    {
      name: 'keeps nulls that are items, drops those of objects in new lists',
      document: {},
      patch: { a: [null, { b: null, c: 1 }] },
      result: { a: [null, { c: 1 }] },
    },
    {
      name: 'keeps nulls of a list that takes the place of an object, as Kubernetes does',
      document: { a: { b: 1 } },
      patch: { a: [{ b: null }] },
      result: { a: [{ b: null }] },
    },
    { name: 'treats names like any other', document: {}, patch: { constructor: 'x' }, result: { constructor: 'x' } },
  ])('$name', ({ document, patch, result }) => {
    const given = JSON.stringify([document, patch]);
    expect(applyMergePatch(document, patch)).toEqual(result);
    expect(JSON.stringify([document, patch])).toBe(given);
  });

  it.each<{ patch: Json; lenient: boolean; message: string }>([
    {
      patch: [],
      lenient: false,
      message: 'error decoding patch: json: cannot unmarshal array into Go value of type map[string]interface {}',
    },
    {
      patch: 'text',
      lenient: false,
      message: 'error decoding patch: json: cannot unmarshal string into Go value of type map[string]interface {}',
    },
    { patch: null, lenient: false, message: 'Invalid JSON Patch' },
    { patch: null, lenient: true, message: 'Invalid JSON Patch' },
    { patch: 5, lenient: true, message: 'Invalid JSON Patch' },
  ])('refuses $patch (lenient: $lenient)', ({ patch, lenient, message }) => {
    expect(() => applyMergePatch({}, patch, { lenient })).toThrow(
      expect.objectContaining({ code: 400, reason: 'BadRequest', message }),
    );
  });

  it('takes a list for the document when it is lenient; what comes of it is for the decoder to say', () => {
    expect(applyMergePatch({ a: 1 }, [{ b: null }], { lenient: true })).toEqual([{}]);
  });

  it('has its full effect at the latest the second time: nulls in a list that takes the place of an object go then', () => {
    const object = fc.object({
      maxDepth: 3,
      values: [fc.constantFrom<Json>(1, 'x', true, null)],
    }) as fc.Arbitrary<JsonObject>;
    fc.assert(
      fc.property(object, object, (document, patch) => {
        const once = applyMergePatch(document, patch) as JsonObject;
        const twice = applyMergePatch(once, patch) as JsonObject;
        expect(applyMergePatch(twice, patch)).toEqual(twice);
      }),
    );
  });
});
