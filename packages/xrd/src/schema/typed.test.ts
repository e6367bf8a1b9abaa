import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Schema } from './json.ts';
import { typedSchema } from './typed.ts';

describe('a schema in Go types', () => {
  it('loses the keys that nobody knows, at any depth', () => {
    const unknown = { supported: ['a'], 'x-note': 1 };
    const leaf = { type: 'string', ...unknown };
    const known = { type: 'string' };
    const nested = (of: Schema): Schema => ({
      type: 'object',
      properties: { supported: of, list: { type: 'array', items: of } },
      additionalProperties: of,
      oneOf: [of],
      allOf: [of],
      anyOf: [of],
      not: of,
    });
    expect(typedSchema({ ...nested(leaf), ...unknown })).toEqual(nested(known));
    const rule = { rule: 'true', message: '', optionalOldSelf: false };
    expect(typedSchema({ 'x-kubernetes-validations': [{ ...rule, ...unknown }] })).toEqual({
      'x-kubernetes-validations': [{ rule: 'true', optionalOldSelf: false }],
    });
  });

  it('loses empty values where the type cannot tell them from absent ones', () => {
    const empty = {
      description: '',
      nullable: false,
      required: [],
      properties: {},
      enum: [],
      oneOf: [],
      uniqueItems: false,
      'x-kubernetes-validations': [],
      'x-kubernetes-int-or-string': false,
      default: null,
    };
    expect(typedSchema({ type: 'object', ...empty })).toEqual({ type: 'object' });
  });

  it('keeps empty values that mean something', () => {
    const kept = { type: 'object', default: {}, minProperties: 0, additionalProperties: false, not: {} };
    expect(typedSchema(kept)).toEqual(kept);
    expect(typedSchema({ type: 'string', default: '', minLength: 0 })).toEqual({
      type: 'string',
      default: '',
      minLength: 0,
    });
    expect(typedSchema({ type: 'array', items: {} })).toEqual({ type: 'array', items: {} });
  });

  it('leaves values alone, whatever keys they have', () => {
    const value = fc.dictionary(fc.string(), fc.jsonValue());
    fc.assert(
      fc.property(value, (given) => {
        expect(typedSchema({ default: given, enum: [given] })).toEqual({ default: given, enum: [given] });
      }),
    );
  });
});
