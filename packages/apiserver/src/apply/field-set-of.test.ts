import { describe, expect, it } from 'vitest';

import type { Json } from '../objects/api-object.ts';
import { fieldSetOf } from './field-set-of.ts';
import { pathsOf, sampleType } from './sample-kind.ts';

describe('fieldSetOf', () => {
  it.each<{ name: string; spec: Json; paths: string[] }>([
    { name: 'scalars', spec: { size: 1, text: 'x' }, paths: ['.spec.size', '.spec.text'] },
    {
      name: 'named fields that only hold others are not claimed',
      spec: { nested: { deeper: { b: 'x' } } },
      paths: ['.spec.nested.deeper.b'],
    },
    {
      name: 'empty objects are claimed',
      spec: { nested: {}, settings: {} },
      paths: ['.spec.nested', '.spec.settings'],
    },
    { name: 'an empty spec', spec: {}, paths: ['.spec'] },
    {
      name: 'nulls are claimed',
      spec: { nested: null, set: null, size: null },
      paths: ['.spec.nested', '.spec.set', '.spec.size'],
    },
    { name: 'empty sets and lists with keys claim nothing', spec: { set: [], ports: [] }, paths: [] },
    { name: 'atomic lists are claimed whole, also empty', spec: { list: [] }, paths: ['.spec.list'] },
    { name: 'items of sets', spec: { set: ['b', 'a'] }, paths: ['.spec.set[="a"]', '.spec.set[="b"]'] },
    {
      name: 'items of lists with keys, with the defaults of keys',
      spec: { ports: [{ port: 80, name: 'web', tags: ['x'] }] },
      paths: [
        '.spec.ports[port=80,protocol="TCP"]',
        '.spec.ports[port=80,protocol="TCP"].name',
        '.spec.ports[port=80,protocol="TCP"].port',
        '.spec.ports[port=80,protocol="TCP"].tags[="x"]',
      ],
    },
    {
      name: 'an explicit null is a key of its own',
      spec: { ports: [{ port: 80, protocol: null }] },
      paths: [
        '.spec.ports[port=80,protocol=null]',
        '.spec.ports[port=80,protocol=null].port',
        '.spec.ports[port=80,protocol=null].protocol',
      ],
    },
    { name: 'atomic objects are claimed whole', spec: { color: { r: 1 } }, paths: ['.spec.color'] },
    { name: 'keys of maps', spec: { settings: { a: '1', b: '2' } }, paths: ['.spec.settings.a', '.spec.settings.b'] },
    {
      name: 'keys of maps of objects are claimed beside their fields',
      spec: { groups: { g: { a: '1' }, h: {} } },
      paths: ['.spec.groups.g', '.spec.groups.h', '.spec.groups.g.a'],
    },
    {
      name: 'what a schema does not know: objects field by field, lists whole',
      spec: { free: { a: 1, b: { c: [1, { d: 1 }] } } },
      paths: ['.spec.free.a', '.spec.free.b', '.spec.free.b.c'],
    },
    { name: 'anything as scalar', spec: { anything: 'x' }, paths: ['.spec.anything'] },
    { name: 'anything as list', spec: { anything: [1] }, paths: ['.spec.anything'] },
    { name: 'anything as object', spec: { anything: { a: 1 } }, paths: ['.spec.anything.a'] },
  ])('$name', ({ spec, paths }) => {
    expect(pathsOf(fieldSetOf(sampleType, { spec }))).toEqual(paths);
  });

  it('takes items that are there twice as one leaf', () => {
    const spec = {
      ports: [
        { port: 80, name: 'a' },
        { port: 80, name: 'b' },
      ],
      set: ['a', 'a', 'b'],
    };
    expect(pathsOf(fieldSetOf(sampleType, { spec }))).toEqual([
      '.spec.ports[port=80,protocol="TCP"]',
      '.spec.set[="a"]',
      '.spec.set[="b"]',
    ]);
  });

  it('reads metadata as every kind has it', () => {
    const metadata = { name: 'x', labels: { a: '1' }, ownerReferences: [{ uid: 'u', name: 'n' }], finalizers: ['f'] };
    expect(pathsOf(fieldSetOf(sampleType, { metadata }))).toEqual([
      '.metadata.name',
      '.metadata.finalizers[="f"]',
      '.metadata.labels.a',
      '.metadata.ownerReferences[uid="u"]',
    ]);
  });
});
