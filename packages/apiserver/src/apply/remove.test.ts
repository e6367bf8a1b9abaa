import { describe, expect, it } from 'vitest';

import type { Json } from '../objects/api-object.ts';
import { fieldSet, setOfOne, union } from './field-set.ts';
import { removeFields } from './remove.ts';
import { sampleType } from './sample-kind.ts';

describe('removeFields', () => {
  it.each<{ name: string; spec: Json; paths: string[]; result: Json }>([
    { name: 'a field', spec: { size: 1, text: 'x' }, paths: ['spec.size'], result: { text: 'x' } },
    { name: 'a field that is not there', spec: { text: 'x' }, paths: ['spec.size'], result: { text: 'x' } },
    {
      name: 'a field inside',
      spec: { nested: { a: '1', deeper: { b: 'x' } } },
      paths: ['spec.nested.a'],
      result: { nested: { deeper: { b: 'x' } } },
    },
    { name: 'a whole object', spec: { nested: { a: '1' }, size: 1 }, paths: ['spec.nested'], result: { size: 1 } },
    {
      name: 'the last field of an object leaves null',
      spec: { nested: { a: '1' }, size: 1 },
      paths: ['spec.nested.a'],
      result: { nested: null, size: 1 },
    },
    {
      name: 'a key of a map',
      spec: { settings: { a: '1', b: '2' } },
      paths: ['spec.settings.a'],
      result: { settings: { b: '2' } },
    },
    {
      name: 'something inside an atomic object takes all of it',
      spec: { color: { r: 1 }, size: 1 },
      paths: ['spec.color.r'],
      result: { color: null, size: 1 },
    },
    { name: 'something inside a scalar takes nothing', spec: { size: 1 }, paths: ['spec.size.x'], result: { size: 1 } },
  ])('$name', ({ spec, paths, result }) => {
    const given = JSON.stringify(spec);
    expect(removeFields(sampleType, { spec }, fieldSet(...paths))).toEqual({ spec: result });
    expect(JSON.stringify(spec)).toBe(given);
  });

  const first = ['f:spec', 'f:ports', 'k:{"port":80,"protocol":"TCP"}'];
  const ports: Json = { ports: [{ port: 80, name: 'a' }, { port: 81 }] };

  it('takes items of lists, or fields of them', () => {
    expect(removeFields(sampleType, { spec: ports }, setOfOne(first))).toEqual({ spec: { ports: [{ port: 81 }] } });
    expect(removeFields(sampleType, { spec: ports }, setOfOne([...first, 'f:name']))).toEqual({
      spec: { ports: [{ port: 80 }, { port: 81 }] },
    });
  });

  it('leaves null of an item that loses all fields', () => {
    const fields = union(setOfOne([...first, 'f:name']), setOfOne([...first, 'f:port']));
    const once = removeFields(sampleType, { spec: ports }, fields);
    expect(once).toEqual({ spec: { ports: [null, { port: 81 }] } });
    expect(removeFields(sampleType, once, fields)).toEqual(once);
  });

  it('leaves an item that has lost its key', () => {
    const once = removeFields(sampleType, { spec: ports }, setOfOne([...first, 'f:port']));
    expect(once).toEqual({ spec: { ports: [{ name: 'a' }, { port: 81 }] } });
    expect(removeFields(sampleType, once, setOfOne(first))).toEqual(once);
  });

  it('takes values of sets', () => {
    const spec = { set: ['a', 'b'] };
    expect(removeFields(sampleType, { spec }, setOfOne(['f:spec', 'f:set', 'v:"a"']))).toEqual({
      spec: { set: ['b'] },
    });
  });
});
