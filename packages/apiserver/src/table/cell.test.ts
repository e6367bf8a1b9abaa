import { describe, expect, it } from 'vitest';
import type { ApiObject } from '../objects/api-object.ts';
import { cellOf } from './cell.ts';

const now = new Date('2026-11-15T09:07:02Z');
const object: ApiObject = {
  apiVersion: 'example.org/v1',
  kind: 'Widget',
  metadata: { name: 'a', creationTimestamp: '2026-11-15T09:06:03Z' },
  spec: {
    size: 3,
    part: 3.7,
    ratio: 2.5,
    on: true,
    tags: ['x', 'y'],
    when: '2020-01-01T00:00:00Z',
    later: '2027-01-01T00:00:00Z',
    never: '',
    any: { b: [true, null, 'x', 1.5], a: '<&>' },
    bad: 'nonsense',
    digits: '12',
    none: null,
    huge: 123456789,
  },
};

const cell = (type: string, path: string) => cellOf({ name: 'X', type, jsonPath: `.spec.${path}` }, object, now);

describe('a cell of a custom resource', () => {
  it.each([
    ['integer', 'size', 3],
    ['integer', 'part', 3],
    ['integer', 'digits', null],
    ['number', 'ratio', 2.5],
    ['number', 'size', 3],
    ['number', 'on', null],
    ['boolean', 'on', true],
    ['boolean', 'size', null],
    ['string', 'digits', '12'],
    ['string', 'size', '3'],
    ['string', 'huge', '123456789'],
    ['string', 'ratio', '2.5'],
    ['string', 'on', 'true'],
    ['string', 'tags', '["x","y"]'],
    ['string', 'tags[*]', 'x'],
    ['string', 'any', '{"a":"\\u003c\\u0026\\u003e","b":[true,null,"x",1.5]}'],
    ['string', 'none', '<no value>'],
    ['integer', 'none', null],
    ['date', 'when', '6y320d'],
    ['date', 'later', '<invalid>'],
    ['date', 'bad', '<invalid>'],
    ['date', 'never', '<unknown>'],
    ['date', 'size', null],
    ['string', 'missing', null],
    ['date', 'missing', null],
    ['unheard-of', 'size', null],
  ])('of type %s at .spec.%s is %j', (type, path, value) => {
    expect(cell(type, path)).toBe(value);
  });

  it('that is computed comes as it is', () => {
    expect(cellOf({ name: 'X', type: 'string', value: ({ metadata }) => `${metadata.name}!` }, object, now)).toBe('a!');
  });
});
