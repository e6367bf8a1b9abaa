import { describe, expect, it } from 'vitest';
import type { JsonSchema } from '@klutch/cel';

import { compileType, facetOf, fieldType, isDeducedMap, type MapType, type ValueType } from './value-type.ts';

const text: JsonSchema = { type: 'string' };

/** The compiled type of a field `x` of an object. */
function compiled(schema: JsonSchema): ValueType {
  const root = compileType({ type: 'object', properties: { x: schema } });
  return fieldType(root as MapType, 'x') as ValueType;
}

describe('compileType', () => {
  it.each<[JsonSchema, string]>([
    [{ type: 'integer' }, 'numeric'],
    [{ type: 'number' }, 'numeric'],
    [{ type: 'boolean' }, 'boolean'],
    [{ type: 'string' }, 'string'],
    [{ type: 'string', format: 'byte' }, 'string'],
    [{ type: 'string', format: 'date-time' }, 'untyped'],
  ])('%j is a %s scalar', (schema, scalar) => {
    expect(compiled(schema)).toEqual({ kind: 'scalar', scalar });
  });

  it.each<[string, JsonSchema, object]>([
    ['lists are atomic', { type: 'array', items: text }, { relation: 'atomic', keyNames: [] }],
    ['atomic lists', { type: 'array', items: text, 'x-kubernetes-list-type': 'atomic' }, { relation: 'atomic' }],
    ['sets', { type: 'array', items: text, 'x-kubernetes-list-type': 'set' }, { relation: 'set' }],
    [
      'lists with keys',
      {
        type: 'array',
        'x-kubernetes-list-type': 'map',
        'x-kubernetes-list-map-keys': ['port', 'name'],
        items: { type: 'object', properties: { name: text, port: { type: 'integer', default: 80 } } },
      },
      {
        relation: 'map',
        keyNames: ['port', 'name'],
        keys: [
          { name: 'name', json: '"name":', default: undefined },
          { name: 'port', json: '"port":', default: 80 },
        ],
      },
    ],
    [
      'patch hints of sets',
      { type: 'array', items: text, 'x-kubernetes-patch-strategy': 'merge' },
      { relation: 'set' },
    ],
    [
      'patch hints of lists with keys',
      { type: 'array', 'x-kubernetes-patch-strategy': 'merge,retainKeys', 'x-kubernetes-patch-merge-key': 'name' },
      { relation: 'map', keyNames: ['name'] },
    ],
    [
      'list types win over patch hints',
      { type: 'array', 'x-kubernetes-list-type': 'atomic', 'x-kubernetes-patch-strategy': 'merge' },
      { relation: 'atomic' },
    ],
  ])('%s', (_, schema, list) => {
    expect(compiled(schema)).toMatchObject({ kind: 'list', ...list });
  });

  it('takes objects as granular unless they are atomic', () => {
    const properties = { a: text };
    expect(compiled({ type: 'object', properties })).toMatchObject({ kind: 'map', atomic: false });
    expect(compiled({ type: 'object', properties, 'x-kubernetes-map-type': 'granular' })).toMatchObject({
      atomic: false,
    });
    expect(compiled({ type: 'object', properties, 'x-kubernetes-map-type': 'atomic' })).toMatchObject({ atomic: true });
  });

  it('knows no other fields than those of the schema', () => {
    const type = compiled({ type: 'object', properties: { a: text } }) as MapType;
    expect(fieldType(type, 'a')).toEqual({ kind: 'scalar', scalar: 'string' });
    expect(fieldType(type, 'b')).toBeUndefined();
    expect(fieldType(type, 'constructor')).toBeUndefined();
  });

  it('reads types off the values where anything goes, also further down', () => {
    const open: JsonSchema = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
    for (const schema of [open, { type: 'object' }, { type: 'object', additionalProperties: true }]) {
      const type = compiled(schema) as MapType;
      expect(isDeducedMap(type)).toBe(true);
      expect(fieldType(type, 'b')?.kind).toBe('any');
    }
    const nested = { ...open, properties: { inner: { type: 'object', properties: { a: text } } } };
    const inner = fieldType(compiled(nested) as MapType, 'inner') as MapType;
    expect(fieldType(inner, 'unknown')?.kind).toBe('any');
  });

  it('takes lists of unknown content as atomic', () => {
    const type = compiled({ 'x-kubernetes-preserve-unknown-fields': true });
    const list = facetOf(type, []);
    expect(list).toMatchObject({ kind: 'list', relation: 'atomic' });
  });

  it('knows metadata without the schema, and better than the schema', () => {
    const root = compileType({ type: 'object', properties: { metadata: { type: 'object' } } }) as MapType;
    const metadata = fieldType(root, 'metadata') as MapType;
    expect(fieldType(metadata, 'finalizers')).toMatchObject({ kind: 'list', relation: 'set' });
    expect(fieldType(metadata, 'ownerReferences')).toMatchObject({ relation: 'map', items: { atomic: true } });
    expect(fieldType(metadata, 'labels')).toMatchObject({ kind: 'map', others: { kind: 'scalar' } });
    expect(fieldType(metadata, 'unknown')).toBeUndefined();
  });

  it('keeps metadata closed in an object that is open', () => {
    const root = compileType({ type: 'object', 'x-kubernetes-preserve-unknown-fields': true }) as MapType;
    expect(fieldType(root, 'anything')?.kind).toBe('any');
    expect(fieldType(fieldType(root, 'metadata') as MapType, 'unknown')).toBeUndefined();
  });

  it('knows metadata of embedded resources', () => {
    const type = compiled({ type: 'object', 'x-kubernetes-embedded-resource': true }) as MapType;
    expect(fieldType(fieldType(type, 'metadata') as MapType, 'finalizers')).toMatchObject({ relation: 'set' });
    expect(fieldType(type, 'apiVersion')).toEqual({ kind: 'scalar', scalar: 'string' });
  });

  it('reads everything off the values when there is no schema', () => {
    const root = compileType(undefined) as MapType;
    expect(fieldType(root, 'metadata')?.kind).toBe('any');
    expect(fieldType(root, 'spec')?.kind).toBe('any');
  });
});

describe('facetOf', () => {
  it.each([
    [{}, 'map'],
    [[], 'list'],
    ['x', 'scalar'],
    [5, 'scalar'],
    [false, 'scalar'],
    [null, 'map'],
  ])('%j shows a %s', (value, kind) => {
    expect(facetOf(compiled({ 'x-kubernetes-int-or-string': true }), value).kind).toBe(kind);
  });

  it('is the type itself where the schema says what it is', () => {
    const type = compiled(text);
    expect(facetOf(type, {})).toBe(type);
  });
});
