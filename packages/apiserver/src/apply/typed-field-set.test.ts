import { describe, expect, it } from 'vitest';
import type { JsonSchema } from '@klutch/cel';

import { fieldSet, setOfOne, union } from './field-set.ts';
import { pathsOf, sampleType } from './sample-kind.ts';
import { reconcileWithType, withNamedFields } from './typed-field-set.ts';
import { compileType } from './value-type.ts';

const item = ['f:spec', 'f:ports', 'k:{"port":80}'];

describe('withNamedFields', () => {
  it('adds the named fields on the way, but neither items nor keys of maps', () => {
    const set = union(fieldSet('spec.nested.deeper.b', 'spec.groups.g.a'), setOfOne([...item, 'f:name']));
    expect(pathsOf(withNamedFields(set, sampleType))).toEqual([
      '.spec',
      '.spec.groups',
      '.spec.nested',
      '.spec.ports',
      '.spec.groups.g.a',
      '.spec.nested.deeper',
      '.spec.nested.deeper.b',
      '.spec.ports[port=80].name',
    ]);
  });

  it('adds nothing where no schema names fields', () => {
    expect(pathsOf(withNamedFields(fieldSet('spec.free.a.b'), sampleType))).toEqual([
      '.spec',
      '.spec.free',
      '.spec.free.a.b',
    ]);
  });
});

describe('reconcileWithType', () => {
  const schema = (spec: JsonSchema) =>
    compileType({ type: 'object', properties: { spec: { type: 'object', properties: { x: spec } } } });
  const text: JsonSchema = { type: 'string' };

  it('keeps sets that fit', () => {
    const set = union(fieldSet('spec.size', 'spec.color', 'spec.free.a.b'), setOfOne([...item, 'f:name']));
    expect(reconcileWithType(set, sampleType)).toBe(set);
  });

  it('makes one of what has become atomic', () => {
    const list = union(setOfOne(['f:spec', 'f:x', 'v:"a"']), fieldSet('spec.y'));
    const atomicList = schema({ type: 'array', items: text });
    expect(pathsOf(reconcileWithType(list, atomicList))).toEqual(['.spec.x', '.spec.y']);
    const object = fieldSet('spec.x.a', 'spec.x.b', 'spec.x');
    const atomicObject = schema({ type: 'object', properties: { a: text }, 'x-kubernetes-map-type': 'atomic' });
    expect(pathsOf(reconcileWithType(object, atomicObject))).toEqual(['.spec.x']);
  });

  it('looks into items', () => {
    const items: JsonSchema = {
      type: 'object',
      properties: { a: { type: 'object', 'x-kubernetes-map-type': 'atomic', properties: { b: text } } },
    };
    const type = schema({ type: 'array', 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['a'], items });
    const set = setOfOne(['f:spec', 'f:x', 'k:{"a":1}', 'f:a', 'f:b']);
    expect(pathsOf(reconcileWithType(set, type))).toEqual(['.spec.x[a=1].a']);
  });

  it('leaves alone what has become granular, what is unknown and what has no schema', () => {
    const set = fieldSet('spec.x', 'spec.unknown.a');
    expect(reconcileWithType(set, schema({ type: 'array', items: text, 'x-kubernetes-list-type': 'set' }))).toBe(set);
    const free = fieldSet('spec.x.a.b');
    expect(reconcileWithType(free, schema({ type: 'object', 'x-kubernetes-preserve-unknown-fields': true }))).toBe(
      free,
    );
  });
});
