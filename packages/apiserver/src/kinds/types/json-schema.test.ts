import { describe, expect, it } from 'vitest';
import { objectMetaSchema } from '../../patch/index.ts';
import { objectMeta } from '../meta/object-meta.ts';
import {
  atomicStruct,
  bytes,
  dict,
  int32,
  int64,
  intOrString,
  keyed,
  list,
  must,
  named,
  ptr,
  quantity,
  raw,
  set,
  struct,
  text,
  time,
  value,
} from './fields.ts';
import type { Struct } from './go-type.ts';
import { schemaOf } from './json-schema.ts';

const item = atomicStruct('Item', 'One of several.', { name: must(text('Its name.')) });

describe('schemaOf', () => {
  it('describes structs and their fields', () => {
    const type = struct('Thing', 'A thing.', { a: text('First.'), b: must(int32()), c: ptr(item, 'Third.') });

    expect(schemaOf(type)).toEqual({
      type: 'object',
      title: 'Thing',
      description: 'A thing.',
      required: ['b'],
      properties: {
        a: { type: 'string', description: 'First.' },
        b: { type: 'integer', format: 'int32' },
        c: {
          type: 'object',
          title: 'Item',
          description: 'Third.',
          required: ['name'],
          'x-kubernetes-map-type': 'atomic',
          properties: { name: { type: 'string', description: 'Its name.' } },
        },
      },
    });
  });

  it('tells types that JSON does not have by their formats', () => {
    const type = struct('T', '', {
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
    const type = struct('T', '', {
      whole: list(text()),
      each: set(text()),
      byName: keyed('name', item),
      choice: keyed(['name', 'kind'], item, 'Pick one.', 'merge,retainKeys'),
      notPatched: keyed('name', item, undefined, ''),
    });
    const { properties = {} } = schemaOf(type);
    const hints = (name: string) =>
      Object.fromEntries(Object.entries(properties[name] ?? {}).filter(([keyword]) => keyword.startsWith('x-')));

    expect(hints('whole')).toEqual({});
    expect(hints('each')).toEqual({ 'x-kubernetes-list-type': 'set' });
    expect(hints('byName')).toEqual({
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['name'],
      'x-kubernetes-patch-merge-key': 'name',
      'x-kubernetes-patch-strategy': 'merge',
    });
    expect(hints('choice')).toEqual({
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['name', 'kind'],
      'x-kubernetes-patch-merge-key': 'name',
      'x-kubernetes-patch-strategy': 'merge,retainKeys',
    });
    expect(hints('notPatched')).toEqual({ 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['name'] });
  });

  it('describes dicts by their values', () => {
    expect(schemaOf(struct('T', '', { d: dict(item) })).properties?.['d']).toMatchObject({
      type: 'object',
      additionalProperties: { title: 'Item' },
    });
  });

  it('ends where a struct contains itself', () => {
    const tree: Struct = struct('Tree', 'A tree.', () => ({ left: ptr(tree), right: ptr(tree, 'The other side.') }));

    expect(schemaOf(tree).properties?.['left']).toEqual({
      type: 'object',
      title: 'Tree',
      description: 'A tree.',
      'x-kubernetes-preserve-unknown-fields': true,
    });
  });

  it('uses the one schema there is for metadata', () => {
    const { properties } = schemaOf(struct('T', '', { metadata: value(objectMeta, 'About it.') }));

    expect(properties?.['metadata']).toEqual({ ...objectMetaSchema, description: 'About it.' });
  });
});
