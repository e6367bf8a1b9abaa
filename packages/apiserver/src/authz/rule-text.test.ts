import { describe, expect, it } from 'vitest';
import { aggregateText } from '@klutch/cel';

import { ruleLines } from './rule-text.ts';

const piece = (verb: string, resource: string, name?: string) => ({
  apiGroups: [''],
  resources: [resource],
  verbs: [verb],
  ...(name === undefined ? {} : { resourceNames: [name] }),
});

describe('lines about rules', () => {
  it('join the verbs of what is otherwise the same', () => {
    expect(ruleLines([piece('list', 'pods'), piece('get', 'secrets'), piece('get', 'pods')])).toEqual([
      '{APIGroups:[""], Resources:["pods"], Verbs:["list" "get"]}',
      '{APIGroups:[""], Resources:["secrets"], Verbs:["get"]}',
    ]);
  });

  it('keep names apart', () => {
    expect(ruleLines([piece('get', 'pods', 'b'), piece('get', 'pods', 'a'), piece('list', 'pods', 'a')])).toEqual([
      '{APIGroups:[""], Resources:["pods"], ResourceNames:["a"], Verbs:["get" "list"]}',
      '{APIGroups:[""], Resources:["pods"], ResourceNames:["b"], Verbs:["get"]}',
    ]);
  });

  it('do not join verbs of paths', () => {
    const path = (verb: string) => ({ nonResourceURLs: ['/x'], verbs: [verb] });
    expect(ruleLines([path('post'), path('get'), path('get')])).toEqual([
      '{NonResourceURLs:["/x"], Verbs:["get"]}',
      '{NonResourceURLs:["/x"], Verbs:["post"]}',
    ]);
  });
});

describe('several problems in one text', () => {
  it.each([
    [['a'], 'a'],
    [['a', 'a'], 'a'],
    [['a', 'b', 'a'], '[a, b]'],
    [[], '[]'],
  ])('%j read %j', (problems, expected) => {
    expect(aggregateText(problems)).toBe(expected);
  });
});
