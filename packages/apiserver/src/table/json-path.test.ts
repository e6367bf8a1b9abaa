import { describe, expect, it } from 'vitest';
import { readJsonPath } from './json-path.ts';

const object = {
  metadata: { name: 'w1', labels: { 'app.kubernetes.io/name': 'x' } },
  spec: { items: [{ name: 'a', n: 1 }, { name: 'b', n: 2 }, { name: 'c' }], size: 0, none: null },
  status: {
    conditions: [
      { type: 'Synced', status: 'False' },
      { type: 'Ready', status: 'True' },
    ],
  },
};

describe('readJsonPath', () => {
  it.each([
    ['.metadata.name', ['w1']],
    ['{.metadata.name}', ['w1']],
    ['$.metadata.name', ['w1']],
    ['.spec.size', [0]],
    ['.spec.none', [null]],
    ['.spec.items[1].name', ['b']],
    ['.spec.items[-1].name', ['c']],
    ['.spec.items[*].name', ['a', 'b', 'c']],
    ['.spec.items[0:2].name', ['a', 'b']],
    ['.spec.items[:1].name', ['a']],
    ['.spec.items[7].name', []],
    ['.spec.size[0]', []],
    ['.status.conditions[?(@.type=="Ready")].status', ['True']],
    [".status.conditions[?(@.type=='Ready')].status", ['True']],
    ['.status.conditions[?(@.type == "Ready")].status', ['True']],
    ['.status.conditions[?(@.type!="Ready")].status', ['False']],
    ['.status.conditions[?(@.type=="Other")].status', []],
    ['.metadata.labels.app\\.kubernetes\\.io/name', ['x']],
    [".metadata.labels['app.kubernetes.io/name']", ['x']],
    ['.metadata.labels.*', ['x']],
    ['.spec.missing.deeper', []],
    ['.spec..name', ['a', 'b', 'c']],
    ['.spec.items[?(@.n)].name', ['a', 'b']],
    ['.spec.items[?(@.n>1)].name', ['b']],
    ['.spec.items[?(@.n>=1)].name', ['a', 'b']],
    ['.spec.items[?(@.n<2)].name', ['a']],
    ['.spec.items[?(@.n<=1)].name', ['a']],
  ])('%s', (path, values) => {
    expect(readJsonPath(object, path)).toEqual(values);
  });

  it('passes over items without the field, whatever the comparison', () => {
    expect(readJsonPath(object, '.spec.items[?(@.n!=1)].name')).toEqual(['b']);
  });

  it('finds nothing when values of different types are compared', () => {
    expect(readJsonPath(object, '.spec.items[?(@.n=="1")].name')).toEqual([]);
  });

  it('finds nothing at paths that make no sense', () => {
    expect(readJsonPath(object, '.spec.items[x]')).toEqual([]);
    expect(readJsonPath(object, 'spec')).toEqual([]);
    expect(readJsonPath(object, '.spec.items[')).toEqual([]);
  });

  it('does not find what objects inherit', () => {
    expect(readJsonPath(object, '.spec.toString')).toEqual([]);
  });
});
