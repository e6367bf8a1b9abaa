import { describe, expect, it } from 'vitest';
import { problemIn } from './problem.ts';
import {
  array,
  boolean,
  enumeration,
  freeForm,
  integer,
  intOrString,
  object,
  record,
  required,
  string,
} from './schema.ts';

const schema = object('A thing.', {
  name: required(string('', { minLength: 2, maxLength: 4, pattern: '^[a-z]*$' })),
  size: integer(''),
  on: boolean(''),
  colour: enumeration('', ['red', 'green']),
  parts: array('', object('', { id: required(string('')) }), { minItems: 1, maxItems: 2 }),
  labels: record('', string('')),
  limit: intOrString(''),
  extra: freeForm(''),
}).json;

describe('the first problem of a value', () => {
  it.each([
    ['text instead of an object', 'x', 'document: expected an object'],
    ['a list instead of an object', [], 'document: expected an object'],
    ['null', null, 'document: expected an object'],
    ['a missing field', {}, 'name: required'],
    ['null for a required field', { name: null }, 'name: required'],
    ['a number instead of text', { name: 1 }, 'name: expected text'],
    ['a text that is too short', { name: 'a' }, 'name: expected at least 2 characters'],
    ['a text that is too long', { name: 'abcde' }, 'name: expected at most 4 characters'],
    ['a text of the wrong form', { name: 'AB' }, 'name: expected text like ^[a-z]*$'],
    ['a fraction instead of a whole number', { name: 'ab', size: 1.5 }, 'size: expected a whole number'],
    ['text instead of a switch', { name: 'ab', on: 'yes' }, 'on: expected true or false'],
    ['a value outside an enumeration', { name: 'ab', colour: 'blue' }, 'colour: expected red or green'],
    ['an object instead of a list', { name: 'ab', parts: {} }, 'parts: expected a list'],
    ['an empty list', { name: 'ab', parts: [] }, 'parts: expected at least 1 entries'],
    ['a long list', { name: 'ab', parts: [{}, {}, {}] }, 'parts: expected at most 2 entries'],
    ['a bad entry of a list', { name: 'ab', parts: [{ id: 'x' }, {}] }, 'parts[1].id: required'],
    ['a bad value under a free key', { name: 'ab', labels: { a: 'b', c: 1 } }, 'labels.c: expected text'],
    ['neither number nor text', { name: 'ab', limit: true }, 'limit: expected a number or text'],
    ['no object where any is allowed', { name: 'ab', extra: 'x' }, 'extra: expected an object'],
  ])('is found in %s', (_, value, problem) => {
    expect(problemIn(schema, value)).toBe(problem);
  });

  it.each([
    ['only required fields', { name: 'ab' }],
    ['null for optional fields', { name: 'ab', size: null, parts: null }],
    ['unknown fields', { name: 'ab', other: [1] }],
    [
      'all fields',
      {
        name: 'ab',
        size: 1,
        on: false,
        colour: 'red',
        parts: [{ id: '' }],
        labels: { a: 'b' },
        limit: 1,
        extra: { any: [1, null] },
      },
    ],
  ])('is absent with %s', (_, value) => {
    expect(problemIn(schema, value)).toBeUndefined();
  });

  it('never quotes the value', () => {
    expect(problemIn(schema, { name: 'hunter2' })).not.toContain('hunter2');
    expect(problemIn(schema, { name: 'ab', colour: 'hunter2' })).not.toContain('hunter2');
  });
});
