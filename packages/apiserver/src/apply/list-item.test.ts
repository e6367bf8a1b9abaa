import { describe, expect, it } from 'vitest';
import type { JsonSchema } from '@klutch/cel';

import type { Json } from '../objects/api-object.ts';
import { listItemElement, listItemElementIfAny, ListItemProblem } from './list-item.ts';
import { compileType, fieldType, type ListType, type MapType } from './value-type.ts';

function listOf(schema: JsonSchema): ListType {
  return fieldType(compileType({ type: 'object', properties: { x: schema } }) as MapType, 'x') as ListType;
}

const set = listOf({ type: 'array', items: { type: 'string' }, 'x-kubernetes-list-type': 'set' });
const keyed = listOf({
  type: 'array',
  'x-kubernetes-list-type': 'map',
  'x-kubernetes-list-map-keys': ['port', 'protocol', 'host'],
  items: {
    type: 'object',
    properties: { port: { type: 'integer' }, protocol: { type: 'string', default: 'TCP' }, host: { type: 'string' } },
  },
});
const withoutDefaults = listOf({
  type: 'array',
  'x-kubernetes-list-type': 'map',
  'x-kubernetes-list-map-keys': ['name'],
  items: { type: 'object', properties: { name: { type: 'string' } } },
});

describe('listItemElement', () => {
  it.each<[Json, string]>([
    ['a', 'v:"a"'],
    ['a<"b"', 'v:"a\\u003c\\"b\\""'],
    [5, 'v:5'],
    [true, 'v:true'],
  ])('of %j in a set is %s', (item, element) => {
    expect(listItemElement(set, item)).toBe(element);
  });

  it.each<[Json, string]>([
    [{ port: 80, protocol: 'UDP', host: 'x' }, 'k:{"host":"x","port":80,"protocol":"UDP"}'],
    [{ port: 80, other: 'ignored' }, 'k:{"port":80,"protocol":"TCP"}'],
    [{}, 'k:{"protocol":"TCP"}'],
    [{ port: null, protocol: null }, 'k:{"port":null,"protocol":null}'],
  ])('of %j by its keys is %s', (item, element) => {
    expect(listItemElement(keyed, item)).toBe(element);
  });

  it.each<[ListType, Json]>([
    [set, null],
    [set, {}],
    [set, []],
    [keyed, null],
    [keyed, 'text'],
    [keyed, []],
    [withoutDefaults, { other: 'x' }],
  ])('is not there for every item (%#)', (list, item) => {
    expect(() => listItemElement(list, item)).toThrow(ListItemProblem);
    expect(listItemElementIfAny(list, item)).toBe('');
  });

  it('is the same either way for items that have one', () => {
    expect(listItemElementIfAny(withoutDefaults, { name: 'x' })).toBe('k:{"name":"x"}');
  });
});
