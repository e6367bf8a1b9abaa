import { describe, expect, it } from 'vitest';

import type { Json } from '../objects/api-object.ts';
import { StatusError } from '../status/status-error.ts';
import { applyJsonPatch, unknownFieldsOfJsonPatch } from './json-patch.ts';

const document: Json = { a: { b: 'x', list: [1, 2, 3], 'with/slash': 1, 'with~tilde': 2, nothing: null }, c: true };

function changed(change: (copy: { a: { [key: string]: Json }; [key: string]: Json }) => void): Json {
  const copy = structuredClone(document) as { a: { [key: string]: Json }; [key: string]: Json };
  change(copy);
  return copy;
}

describe('applyJsonPatch', () => {
  it.each<{ name: string; patch: Json; result: Json }>([
    {
      name: 'add sets a key',
      patch: [{ op: 'add', path: '/a/new', value: { y: 1 } }],
      result: changed((copy) => (copy.a.new = { y: 1 })),
    },
    {
      name: 'add replaces a key',
      patch: [{ op: 'add', path: '/c', value: 'now text' }],
      result: changed((copy) => (copy.c = 'now text')),
    },
    {
      name: 'add without a value sets null',
      patch: [{ op: 'add', path: '/c' }],
      result: changed((copy) => (copy.c = null)),
    },
    {
      name: 'add inserts into a list',
      patch: [{ op: 'add', path: '/a/list/1', value: 9 }],
      result: changed((copy) => (copy.a.list = [1, 9, 2, 3])),
    },
    {
      name: 'add appends with a dash and with the length',
      patch: [
        { op: 'add', path: '/a/list/-', value: 4 },
        { op: 'add', path: '/a/list/4', value: 5 },
      ],
      result: changed((copy) => (copy.a.list = [1, 2, 3, 4, 5])),
    },
    {
      name: 'negative indices count from the end',
      patch: [
        { op: 'replace', path: '/a/list/-1', value: 9 },
        { op: 'add', path: '/a/list/-1', value: 10 },
      ],
      result: changed((copy) => (copy.a.list = [1, 2, 9, 10])),
    },
    {
      name: 'remove takes away a key and an item',
      patch: [
        { op: 'remove', path: '/c' },
        { op: 'remove', path: '/a/list/0' },
      ],
      result: { a: { ...(document.a as object), list: [2, 3] } },
    },
    {
      name: 'replace accepts a missing key, unlike the RFC',
      patch: [{ op: 'replace', path: '/a/missing', value: 1 }],
      result: changed((copy) => (copy.a.missing = 1)),
    },
    {
      name: 'replace of the whole document',
      patch: [{ op: 'replace', path: '', value: { all: 'new' } }],
      result: { all: 'new' },
    },
    {
      name: 'move',
      patch: [{ op: 'move', from: '/a/b', path: '/d' }],
      result: changed((copy) => {
        copy.d = 'x';
        delete copy.a.b;
      }),
    },
    {
      name: 'copy is deep',
      patch: [
        { op: 'copy', from: '/a/list', path: '/d' },
        { op: 'remove', path: '/d/0' },
      ],
      result: changed((copy) => (copy.d = [2, 3])),
    },
    {
      name: 'copy of a missing key gives null, unlike the RFC',
      patch: [{ op: 'copy', from: '/a/missing', path: '/d' }],
      result: changed((copy) => (copy.d = null)),
    },
    {
      name: 'escapes in pointers',
      patch: [
        { op: 'replace', path: '/a/with~1slash', value: 10 },
        { op: 'replace', path: '/a/with~0tilde', value: 20 },
      ],
      result: changed((copy) => {
        copy.a['with/slash'] = 10;
        copy.a['with~tilde'] = 20;
      }),
    },
    {
      name: 'tests that hold change nothing',
      patch: [
        { op: 'test', path: '/a/list', value: [1, 2, 3] },
        { op: 'test', path: '/a/nothing', value: null },
        { op: 'test', path: '/a/missing', value: null },
        { op: 'test', path: '/a/missing' },
        { op: 'test', path: '', value: document },
      ],
      result: document,
    },
    { name: 'no operations', patch: [], result: document },
    { name: 'null is a patch without operations', patch: null, result: document },
  ])('$name', ({ patch, result }) => {
    const given = JSON.stringify([document, patch]);
    expect(applyJsonPatch(document, patch)).toEqual(result);
    expect(JSON.stringify([document, patch])).toBe(given);
  });

  it.each<{ name: string; operation: Json }>([
    { name: 'a test that fails', operation: { op: 'test', path: '/a/b', value: 'y' } },
    { name: 'a test that compares types', operation: { op: 'test', path: '/c', value: 'true' } },
    { name: 'a test of a missing key', operation: { op: 'test', path: '/missing', value: 1 } },
    { name: 'removal of a missing key', operation: { op: 'remove', path: '/a/missing' } },
    { name: 'removal of the whole document', operation: { op: 'remove', path: '' } },
    { name: 'a missing parent', operation: { op: 'add', path: '/missing/key', value: 1 } },
    { name: 'a scalar as parent', operation: { op: 'add', path: '/c/key', value: 1 } },
    { name: 'null as parent', operation: { op: 'add', path: '/a/nothing/key', value: 1 } },
    { name: 'an index beyond the end', operation: { op: 'add', path: '/a/list/4', value: 1 } },
    { name: 'a negative index beyond the start', operation: { op: 'remove', path: '/a/list/-4' } },
    { name: 'replacement behind the end', operation: { op: 'replace', path: '/a/list/-', value: 1 } },
    { name: 'an index that is no number', operation: { op: 'remove', path: '/a/list/first' } },
    { name: 'addition of the whole document', operation: { op: 'add', path: '', value: {} } },
    { name: 'a scalar as document', operation: { op: 'replace', path: '', value: 5 } },
    { name: 'a move from a missing key', operation: { op: 'move', from: '/missing', path: '/d' } },
    { name: 'a copy from a missing index', operation: { op: 'copy', from: '/a/list/9', path: '/d' } },
    { name: 'a move without from', operation: { op: 'move', path: '/d' } },
    { name: 'an unknown operation', operation: { op: 'merge', path: '/d' } },
    { name: 'no operation at all', operation: { path: '/d' } },
    { name: 'no path', operation: { op: 'add', value: 1 } },
    { name: 'a path that starts without a slash', operation: { op: 'remove', path: 'c' } },
    { name: 'null', operation: null },
  ])('refuses $name with the terse answer of Kubernetes', ({ operation }) => {
    const failure = refusal(() => applyJsonPatch(document, [operation]));
    expect(failure.toStatus()).toMatchObject({
      code: 422,
      reason: 'Invalid',
      message: 'the server rejected our request due to an error in our request',
      details: {},
    });
  });

  it('never reaches prototypes', () => {
    for (const path of ['/__proto__/polluted', '/constructor/prototype/polluted']) {
      expect(refusal(() => applyJsonPatch({}, [{ op: 'add', path, value: 1 }])).code).toBe(422);
    }
    const patched = applyJsonPatch({}, [{ op: 'add', path: '/__proto__', value: { polluted: true } }]);
    expect(JSON.stringify(patched)).toBe('{"__proto__":{"polluted":true}}');
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
  });

  it('stops copies that would blow up the document', () => {
    const big = { data: 'x'.repeat(1024 * 1024) };
    const copies = (count: number) =>
      Array.from({ length: count }, (_, index) => ({ op: 'copy', from: '/data', path: `/copy${index}` }));
    expect(Object.keys(applyJsonPatch(big, copies(2)) as object)).toHaveLength(3);
    expect(refusal(() => applyJsonPatch(big, copies(3))).code).toBe(422);
  });

  it('accepts 10,000 operations and no more', () => {
    const tests = (count: number) => Array.from({ length: count }, () => ({ op: 'test', path: '/c', value: true }));
    expect(applyJsonPatch(document, tests(10_000))).toEqual(document);
    const failure = refusal(() => applyJsonPatch(document, tests(10_001)));
    expect(failure).toMatchObject({
      code: 413,
      reason: 'RequestEntityTooLarge',
      message: 'Request entity too large: The allowed maximum operations in a JSON patch is 10000, got 10001',
    });
  });

  it.each<{ patch: Json; message: string; lenient: string }>([
    {
      patch: { op: 'add' },
      message: 'error decoding patch: json: cannot unmarshal object into Go value of type []handlers.jsonPatchOp',
      lenient: 'json: cannot unmarshal object into Go value of type jsonpatch.Patch',
    },
    {
      patch: 'text',
      message: 'error decoding patch: json: cannot unmarshal string into Go value of type []handlers.jsonPatchOp',
      lenient: 'json: cannot unmarshal string into Go value of type jsonpatch.Patch',
    },
    {
      patch: [5],
      message: 'error decoding patch: json: cannot unmarshal number into Go value of type handlers.jsonPatchOp',
      lenient: 'json: cannot unmarshal number into Go value of type jsonpatch.Operation',
    },
  ])('refuses $patch as no patch', ({ patch, message, lenient }) => {
    expect(refusal(() => applyJsonPatch(document, patch))).toMatchObject({ code: 400, reason: 'BadRequest', message });
    const failure = refusal(() => applyJsonPatch(document, patch, { lenient: true }));
    expect(failure).toMatchObject({ code: 400, reason: 'BadRequest', message: lenient });
  });

  it.each(['op', 'path', 'from'])('looks at the type of %s unless it is lenient', (field) => {
    const patch = [{ op: 'add', path: '/c', from: '/c', value: 1, [field]: 5 }];
    const message = `error decoding patch: json: cannot unmarshal number into Go struct field jsonPatchOp.${field} of type string`;
    expect(refusal(() => applyJsonPatch(document, patch))).toMatchObject({ code: 400, message });
    if (field === 'from') expect(applyJsonPatch(document, patch, { lenient: true })).toMatchObject({ c: 1 });
    else expect(refusal(() => applyJsonPatch(document, patch, { lenient: true })).code).toBe(422);
  });
});

describe('unknownFieldsOfJsonPatch', () => {
  it('names fields that mean nothing', () => {
    const patch: Json = [{ op: 'add', path: '/a', value: 1 }, { op: 'test', path: '/a', vlaue: 1, 'a"b': 2 }, 5];
    expect(unknownFieldsOfJsonPatch(patch)).toEqual([
      'json patch unknown field "[1].vlaue"',
      'json patch unknown field "[1].a\\"b"',
    ]);
    expect(unknownFieldsOfJsonPatch({ op: 'add' })).toEqual([]);
  });
});

function refusal(action: () => unknown): StatusError {
  try {
    action();
  } catch (error) {
    if (error instanceof StatusError) return error;
    throw error;
  }
  throw new Error('the patch was accepted');
}
