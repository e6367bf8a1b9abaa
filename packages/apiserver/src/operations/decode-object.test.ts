import { describe, expect, it } from 'vitest';
import { createRegistry } from '../registry/registry.ts';
import { decodeObject } from './decode-object.ts';
import { bodyOf, testCall, thingResource } from './testing/test-world.ts';

const builtIn = thingResource({ group: '', kind: 'Note', resource: 'notes', builtIn: true, schema: undefined });
const other = thingResource({ group: '', kind: 'Memo', resource: 'memos', builtIn: true, bucket: '/memos' });
const custom = thingResource();
const registry = createRegistry([builtIn, other, custom]);
const sent = (value: unknown, text = JSON.stringify(value)) => ({
  value: value as never,
  duplicates: [],
  bytes: Buffer.from(text),
});
const unrecognized = 'the object provided is unrecognized';

describe('decodeObject of a built-in kind', () => {
  it('takes what does not say what it is, type first', () => {
    const object = decodeObject(sent({ data: 1, metadata: { name: 'x', labels: {} } }), testCall(builtIn), registry);

    expect(JSON.stringify(object)).toBe('{"kind":"Note","apiVersion":"v1","metadata":{"name":"x"},"data":1}');
  });

  it('takes null for an empty object', () => {
    expect(decodeObject(sent(null), testCall(builtIn), registry).metadata).toEqual({});
  });

  it.each([
    [
      'a list',
      [],
      `${unrecognized} (must be of type Note): couldn't get version/kind; json parse error: json: cannot unmarshal array into Go value of type struct`,
    ],
    ['a number as kind', { kind: 1 }, 'cannot unmarshal number into Go struct field .kind of type string ({"kind":1})'],
    ['three parts', { apiVersion: 'a/b/c' }, 'unexpected GroupVersion string: a/b/c ({"apiVersion":"a/b/c"})'],
    [
      'another kind that exists',
      { apiVersion: 'v1', kind: 'Memo' },
      'Memo in version "v1" cannot be handled as a Note: converting (v1.Memo) to (core.Note): unknown conversion',
    ],
    ['a list of another kind', { kind: 'MemoList' }, 'converting (v1.MemoList) to (core.Note): unknown conversion'],
    [
      'a kind that does not exist',
      { apiVersion: 'v1', kind: 'Unicorn' },
      'Unicorn in version "v1" cannot be handled as a Note: no kind "Unicorn" is registered for version "v1" in scheme',
    ],
    [
      'metadata that is none',
      { metadata: 'x' },
      'cannot unmarshal string into Go struct field Note.metadata of type v1.ObjectMeta',
    ],
    ['a bad label', { metadata: { labels: { a: 1 } } }, 'Go struct field ObjectMeta.metadata.labels of type string'],
  ])('refuses %s', (_, value, message) => {
    expect(() => decodeObject(sent(value), testCall(builtIn), registry)).toThrow(message);
  });

  it('shows how an unrecognized body begins', () => {
    const text = '[1,2,3,4,5,6,7,8,9,10,11,12,13,14]';

    expect(() => decodeObject(sent(JSON.parse(text), text), testCall(builtIn), registry)).toThrow(
      `(${Buffer.from(text.slice(0, 30)).toString('hex')} ...)`,
    );
  });
});

describe('decodeObject of a custom kind', () => {
  const type = { apiVersion: 'test.example/v1', kind: 'Thing' };

  it.each([
    ['null', null, "Object 'Kind' is missing in 'null' (6e756c6c)"],
    ['no kind', { apiVersion: 'test.example/v1' }, `Object 'Kind' is missing in '{"apiVersion":"test.example/v1"}'`],
    [
      'no version',
      { kind: 'Thing' },
      'the API version in the data () does not match the expected API version (test.example/v1)',
    ],
    [
      'another kind',
      { ...type, kind: 'Other', metadata: { name: 'x' } },
      'Other.test.example "x" is invalid: kind: Invalid value: "Other": must be Thing',
    ],
    ['metadata that is none', { ...type, metadata: 1 }, 'cannot unmarshal number into Go value of type v1.ObjectMeta'],
    ['a bad label', { ...type, metadata: { labels: { a: 1 } } }, 'Go struct field ObjectMeta.labels of type string'],
  ])('refuses %s', (_, value, message) => {
    expect(() => decodeObject(sent(value), testCall(custom), registry)).toThrow(message);
  });

  it('drops unknown fields and warns of them in the order of their paths', () => {
    const call = testCall(custom);

    const object = decodeObject(
      bodyOf({ ...type, top: 1, metadata: { odd: 1 }, spec: { b: 1, a: 1 } }),
      call,
      registry,
    );

    expect(object).toEqual({ ...type, metadata: {}, spec: {} });
    expect(call.warnings).toEqual(['metadata.odd', 'spec.a', 'spec.b', 'top'].map((path) => `unknown field "${path}"`));
  });

  it.each([
    ['Strict', 'strict decoding error: duplicate field "spec.size", unknown field "top"'],
    ['Ignore', undefined],
  ] as const)('treats them as asked for: %s', (fieldValidation, problem) => {
    const call = testCall(custom, { fieldValidation });
    const body = { ...bodyOf({ ...type, top: 1 }), duplicates: ['duplicate field "spec.size"'] };

    if (problem) expect(() => decodeObject(body, call, registry)).toThrow(problem);
    else expect(decodeObject(body, call, registry)).not.toHaveProperty('top');
    expect(call.warnings).toEqual([]);
  });

  it('warns of every line that a YAML decoder complains about', () => {
    const call = testCall(custom);
    const duplicates = [
      'yaml: unmarshal errors:\n  line 1: key "a" already set in map\n  line 2: key "b" already set in map',
    ];

    decodeObject({ ...bodyOf(type), duplicates }, call, registry);

    expect(call.warnings).toEqual(['line 1: key "a" already set in map', 'line 2: key "b" already set in map']);
  });
});
