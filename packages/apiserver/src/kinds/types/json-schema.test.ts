import { describe, expect, it } from 'vitest';
import {
  bytes,
  dict,
  int32,
  int64,
  intOrString,
  list,
  must,
  named,
  ptr,
  quantity,
  raw,
  struct,
  text,
  time,
} from '../testing/fields.ts';
import type { Struct } from './go-type.ts';
import { schemaOf } from './json-schema.ts';

const item = struct('Item', { name: must(text()) }, true);

describe('schemaOf', () => {
  it('describes structs and their fields', () => {
    const type = struct('Thing', { a: text(), b: must(int32()), c: ptr(item) });

    expect(schemaOf(type)).toEqual({
      type: 'object',
      title: 'Thing',
      required: ['b'],
      properties: {
        a: { type: 'string' },
        b: { type: 'integer', format: 'int32' },
        c: {
          type: 'object',
          title: 'Item',
          required: ['name'],
          'x-kubernetes-map-type': 'atomic',
          properties: { name: { type: 'string' } },
        },
      },
    });
  });

  it('tells types that JSON does not have by their formats', () => {
    const type = struct('T', {
      a: bytes(),
      b: time(),
      c: quantity(),
      d: intOrString(),
      e: int64(),
      f: named('Mode'),
      g: raw(),
    });

    expect(schemaOf(type).properties).toEqual({
      a: { type: 'string', format: 'byte' },
      b: { type: 'string', format: 'date-time' },
      c: { type: 'string', format: 'quantity' },
      d: { type: 'string', format: 'int-or-string' },
      e: { type: 'integer', format: 'int64' },
      f: { type: 'string' },
      g: { 'x-kubernetes-preserve-unknown-fields': true },
    });
  });

  it('says how lists merge', () => {
    const hints = { 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['name'] } as const;
    const { properties } = schemaOf(struct('T', { whole: list(text()), byName: list(item, hints) }));

    expect(properties?.['whole']).toEqual({ type: 'array', items: { type: 'string' } });
    expect(properties?.['byName']).toMatchObject(hints);
  });

  it('describes dicts by their values', () => {
    expect(schemaOf(struct('T', { d: dict(item) })).properties?.['d']).toMatchObject({
      type: 'object',
      additionalProperties: { title: 'Item' },
    });
  });

  it('ends where a struct contains itself', () => {
    const tree: Struct = struct('Tree', () => ({ left: ptr(tree), right: ptr(tree) }));

    expect(schemaOf(tree).properties?.['left']).toEqual({
      type: 'object',
      title: 'Tree',
      'x-kubernetes-preserve-unknown-fields': true,
    });
  });
});
