import { describe, expect, it } from 'vitest';
import type { Schema } from '../../model/catalogue.ts';
import { limitWords, typeWords } from './schema-words.ts';

describe('what a schema allows, for people', () => {
  it.each<[Schema, string, string]>([
    [{ type: 'string' }, 'string', ''],
    [{ type: 'string', enum: ['on', 'off'] }, 'string', '`on`, `off`'],
    [{ type: 'integer', minimum: -1, not: { enum: [0] } }, 'integer', 'at least `-1`; not `0`'],
    [{ type: 'number', minimum: 0, maximum: 1 }, 'number', 'at least `0`; at most `1`'],
    [{ type: 'string', pattern: '^a|b$' }, 'string', 'matches `^a|b$`'],
    [{ type: 'array', items: { type: 'string', enum: ['a'] } }, 'list of string', '`a`'],
    [{ 'x-kubernetes-int-or-string': true }, 'integer or string', ''],
    [{ 'x-kubernetes-preserve-unknown-fields': true }, 'anything', ''],
    [
      { type: 'object', properties: { a: { type: 'integer', minimum: 1 }, b: { type: 'string' } } },
      'object',
      '`a`: integer (at least `1`); `b`: string',
    ],
    [{ type: 'string', 'x-kubernetes-validations': [{ rule: 'x', message: 'Be brief.' }] }, 'string', 'Be brief.'],
  ])('%j', (schema, type, limits) => {
    expect([typeWords(schema), limitWords(schema)]).toEqual([type, limits]);
  });
});
