import { describe, expect, it } from 'vitest';
import { compareSchemas } from './compare-schemas.ts';
import { verdictOf } from './finding.ts';
import type { Schema } from './structural-schema.ts';

const text: Schema = { type: 'string' };
const integer: Schema = { type: 'integer' };
const object = (properties: Readonly<Record<string, Schema>>, more: Schema = {}): Schema => ({
  type: 'object',
  properties,
  ...more,
});
/** An object whose `spec.it` is what changes. */
const holding = (it: Schema): Schema => object({ spec: object({ it }) });
const celRule = (rule: string, more: Schema = {}): Schema => ({
  ...integer,
  'x-kubernetes-validations': [{ rule, ...more }],
});

/** A change that is harmless in one direction and breaks something in the other. */
const loosened: readonly (readonly [what: string, strict: Schema, loose: Schema])[] = [
  ['an enum that gains a value', { ...text, enum: ['a'] }, { ...text, enum: ['b', 'a'] }],
  ['an enum that goes', { ...text, enum: ['a'] }, text],
  ['a pattern that goes', { ...text, pattern: '^a' }, text],
  ['a higher maxLength', { ...text, maxLength: 3 }, { ...text, maxLength: 4 }],
  ['a maxLength that goes', { ...text, maxLength: 3 }, text],
  ['a lower minLength', { ...text, minLength: 3 }, { ...text, minLength: 1 }],
  ['a higher maximum', { ...integer, maximum: 3 }, { ...integer, maximum: 4 }],
  ['a maximum that counts', { ...integer, maximum: 3, exclusiveMaximum: true }, { ...integer, maximum: 3 }],
  ['a lower minimum', { ...integer, minimum: 3 }, { ...integer, minimum: -1 }],
  ['a minimum that counts', { ...integer, minimum: 3, exclusiveMinimum: true }, { ...integer, minimum: 3 }],
  ['a minimum of zero that goes', { ...integer, minimum: 0 }, integer],
  ['a finer multipleOf', { ...integer, multipleOf: 6 }, { ...integer, multipleOf: 3 }],
  ['a higher maxItems', { type: 'array', items: text, maxItems: 1 }, { type: 'array', items: text, maxItems: 2 }],
  ['a minItems that goes', { type: 'array', items: text, minItems: 1 }, { type: 'array', items: text }],
  ['looser items', { type: 'array', items: { ...text, maxLength: 1 } }, { type: 'array', items: text }],
  ['a higher maxProperties', { ...object({}), maxProperties: 1 }, { ...object({}), maxProperties: 2 }],
  ['an added field', object({ a: text }), object({ a: text, b: text })],
  ['a field that may be left out', object({ a: text }, { required: ['a'] }), object({ a: text })],
  ['null that is allowed', text, { ...text, nullable: true }],
  [
    'unknown fields that are kept',
    object({ a: text }),
    object({ a: text }, { 'x-kubernetes-preserve-unknown-fields': true }),
  ],
  ['free keys that are kept', object({}), { type: 'object', additionalProperties: text }],
  [
    'looser values of free keys',
    { type: 'object', additionalProperties: { ...text, maxLength: 1 } },
    { type: 'object', additionalProperties: text },
  ],
  ['a CEL rule that goes', celRule('self > 1'), integer],
  ['an allOf that goes', { ...integer, allOf: [{ minimum: 1 }] }, integer],
  [
    'an anyOf that gains an alternative',
    { ...integer, anyOf: [{ maximum: 1 }] },
    { ...integer, anyOf: [{ minimum: 5 }, { maximum: 1 }] },
  ],
  ['a oneOf that goes', { ...integer, oneOf: [{ minimum: 1 }] }, integer],
  ['a not that goes', { ...integer, not: { enum: [1] } }, integer],
];

/** A change that keeps every object whole, but which somebody should know of. */
const careful: readonly (readonly [what: string, before: Schema, after: Schema])[] = [
  ['a new default', text, { ...text, default: 'a' }],
  ['another default', { ...text, default: 'a' }, { ...text, default: 'b' }],
  ['a default that goes', { ...text, default: 'a' }, text],
  ['a new field with a default', object({}), object({ a: { ...text, default: 'a' } })],
  ['a new required field with a default', object({}), object({ a: { ...text, default: 'a' } }, { required: ['a'] })],
  ['a format that goes', { ...text, format: 'email' }, text],
  ['a wider format', { ...integer, format: 'int32' }, { ...integer, format: 'int64' }],
  ['a format that nobody checks', text, { ...text, format: 'quantity' }],
  ['an integer that becomes a number', integer, { type: 'number' }],
  [
    'an integer that becomes an integer or a string',
    integer,
    { 'x-kubernetes-int-or-string': true, anyOf: [integer, text] },
  ],
  ['a value that may become anything', { ...text, nullable: true }, { 'x-kubernetes-preserve-unknown-fields': true }],
  ['a map that is written as a whole', object({}), object({}, { 'x-kubernetes-map-type': 'atomic' })],
];

const broken: readonly (readonly [what: string, before: Schema, after: Schema])[] = [
  ['another type', text, integer],
  ['a number that becomes an integer', { type: 'number' }, integer],
  ['another pattern', { ...text, pattern: '^a' }, { ...text, pattern: '^b' }],
  ['a new format', text, { ...text, format: 'date-time' }],
  ['a new required field', object({ a: text }), object({ a: text }, { required: ['a'] })],
  [
    'a required field that loses its default',
    object({ a: { ...text, default: 'a' } }, { required: ['a'] }),
    object({ a: text }, { required: ['a'] }),
  ],
  [
    'a default where fields are counted',
    object({}, { maxProperties: 1 }),
    object({ a: { ...text, default: 'a' } }, { maxProperties: 1 }),
  ],
  ['another CEL rule', celRule('self > 1'), celRule('self > 0')],
  [
    'a CEL rule that also holds on creation',
    celRule('self == oldSelf'),
    celRule('self == oldSelf', { optionalOldSelf: true }),
  ],
  [
    'another list type',
    { type: 'array', items: text },
    { type: 'array', items: text, 'x-kubernetes-list-type': 'set' },
  ],
  [
    'a list that is no set any more',
    { type: 'array', items: text, 'x-kubernetes-list-type': 'set' },
    { type: 'array', items: text },
  ],
  [
    'other keys of a list',
    {
      type: 'array',
      items: object({ a: text, b: text }),
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['a'],
    },
    {
      type: 'array',
      items: object({ a: text, b: text }),
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['a', 'b'],
    },
  ],
  ['a map that becomes fixed fields', { type: 'object', additionalProperties: text }, object({ a: text })],
  [
    'a named field where unknown ones were kept',
    object({}, { 'x-kubernetes-preserve-unknown-fields': true }),
    object({ a: text }, { 'x-kubernetes-preserve-unknown-fields': true }),
  ],
  ['a whole object that becomes any object', object({}, { 'x-kubernetes-embedded-resource': true }), object({})],
  ['another oneOf', { ...integer, oneOf: [{ minimum: 1 }] }, { ...integer, oneOf: [{ minimum: 2 }] }],
];

const harmless: readonly (readonly [what: string, before: Schema, after: Schema])[] = [
  ['a description', text, { ...text, description: 'What it is.' }],
  ['an example', text, { ...text, example: 'a', title: 'T', externalDocs: { url: 'u' } }],
  ['words for a CEL rule', celRule('self > 1'), celRule('self > 1', { message: 'must be more than one' })],
  [
    'the written-out default of a list',
    { type: 'array', items: text },
    { type: 'array', items: text, 'x-kubernetes-list-type': 'atomic' },
  ],
  ['a keyword that says nothing', text, { ...text, nullable: false, minLength: 0, format: '' }],
  [
    'a field named where free keys had that schema',
    { type: 'object', additionalProperties: text },
    { type: 'object', additionalProperties: text, properties: { a: text } },
  ],
  ['a field with the name of a method', object({}), object({ constructor: text, hasOwnProperty: text })],
];

const verdict = (before: Schema, after: Schema) => verdictOf(compareSchemas(holding(before), holding(after)));

describe('a schema change', () => {
  it.each(loosened)('is compatible: %s', (_, strict, loose) => {
    expect(verdict(strict, loose)).toBe('compatible');
  });

  it.each(loosened)('is breaking the other way round: %s', (_, strict, loose) => {
    expect(verdict(loose, strict)).toBe('breaking');
  });

  it.each(careful)('needs care: %s', (_, before, after) => {
    expect(verdict(before, after)).toBe('needs care');
  });

  it.each(broken)('is breaking: %s', (_, before, after) => {
    expect(verdict(before, after)).toBe('breaking');
  });

  it.each(harmless)('is compatible: %s', (_, before, after) => {
    expect(verdict(before, after)).toBe('compatible');
  });

  it('is compatible with a schema that is not one', () => {
    const nonsense = { properties: 5, required: {}, enum: 'a', items: [], allOf: true } as Schema;

    expect(compareSchemas(nonsense, nonsense)).toEqual([]);
  });

  it('names the place and what happens there', () => {
    const before = holding({ type: 'array', items: object({ size: { ...integer, maximum: 10 } }) });
    const after = holding({ type: 'array', items: object({ size: { ...integer, maximum: 5 } }) });

    expect(compareSchemas(before, after, 'v1 ')).toEqual([
      {
        level: 'breaking',
        path: 'v1 .spec.it[].size',
        sentence: 'has a stricter limit: maximum goes from 10 to 5',
      },
    ]);
  });
});

describe('what every object has', () => {
  const bare = object({ spec: object({}) });
  const named = object(
    { spec: object({}), apiVersion: text, kind: text, metadata: { type: 'object' } },
    { required: ['metadata', 'kind'] },
  );

  it.each([
    ['be named', bare, named],
    ['be left out', named, bare],
  ])('may %s in a schema', (_, before, after) => {
    expect(compareSchemas(before, after)).toEqual([]);
  });

  it('may not be limited further', () => {
    const limited = object({
      ...(named['properties'] as object),
      metadata: object({ name: { ...text, maxLength: 10 } }),
    });

    expect(compareSchemas(bare, limited).map(({ path }) => path)).toEqual(['.metadata.name']);
    expect(verdictOf(compareSchemas(limited, bare))).toBe('compatible');
  });
});
