import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import type { Json } from '../objects/api-object.ts';
import { listPaths, NO_FIELDS, setOfOne, union } from './field-set.ts';
import { parseFieldsV1, toFieldsV1 } from './fields-v1.ts';
import { describePath, fieldElement, valueElement } from './path-element.ts';

const example = {
  'f:metadata': { 'f:labels': { '.': {}, 'f:app': {} } },
  'f:spec': {
    'f:containers': { 'k:{"name":"main"}': { '.': {}, 'f:image': {}, 'f:name': {} } },
    'f:finalizers': { 'v:"a"': {}, 'v:"b"': {} },
    'f:list': { 'i:0': {} },
  },
};

describe('FieldsV1', () => {
  it('is read as a set of paths', () => {
    expect(listPaths(parseFieldsV1(example)).map(describePath)).toEqual([
      '.metadata.labels',
      '.metadata.labels.app',
      '.spec.containers[name="main"]',
      '.spec.containers[name="main"].image',
      '.spec.containers[name="main"].name',
      '.spec.finalizers[="a"]',
      '.spec.finalizers[="b"]',
      '.spec.list[0]',
    ]);
  });

  it('is written with the same text', () => {
    expect(JSON.stringify(toFieldsV1(parseFieldsV1(example)))).toBe(JSON.stringify(example));
  });

  it('is written in the order of Kubernetes whatever the order it was read in', () => {
    const shuffled = {
      'f:b': {},
      'k:{"p":10}': {},
      '.': {},
      'f:a': { 'v:10': {}, 'v:9': {}, '.': {} },
      'k:{"p":9}': {},
    };
    expect(JSON.stringify(toFieldsV1(parseFieldsV1(shuffled)))).toBe(
      '{"f:a":{".":{},"v:9":{},"v:10":{}},"f:b":{},"k:{\\"p\\":9}":{},"k:{\\"p\\":10}":{}}',
    );
  });

  it('may be absent or empty', () => {
    expect(parseFieldsV1(undefined).size).toBe(0);
    expect(parseFieldsV1({}).size).toBe(0);
    expect(toFieldsV1(NO_FIELDS)).toEqual({});
  });

  it('leaves out steps of unknown kinds, and owns what had only those below', () => {
    expect(toFieldsV1(parseFieldsV1({ 'f:a': { 'z:new': {} }, 'z:other': {}, 'f:b': null }))).toEqual({
      'f:a': {},
      'f:b': {},
    });
  });

  it.each<Json>([{ 'f:a': 'text' }, { 'f:a': [] }, { nocolon: {} }, { a: {} }, { 'k:x': {} }, 'text', []])(
    'refuses %j',
    (fields) => {
      expect(() => parseFieldsV1(fields)).toThrow(Error);
    },
  );

  it('reads back what it has written', () => {
    const scalar = fc.oneof(fc.string(), fc.integer(), fc.boolean());
    const element = fc.oneof(
      fc.string().map(fieldElement),
      scalar.map(valueElement),
      fc.nat(20).map((index) => `i:${index}`),
    );
    const path = fc.array(element, { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(fc.array(path, { maxLength: 8 }), (paths) => {
        const set = paths.map(setOfOne).reduce(union, NO_FIELDS);
        const written = toFieldsV1(set);
        const again = parseFieldsV1(JSON.parse(JSON.stringify(written)) as Json);
        expect(listPaths(again)).toEqual(listPaths(set));
        expect(JSON.stringify(toFieldsV1(again))).toBe(JSON.stringify(written));
      }),
    );
  });
});
