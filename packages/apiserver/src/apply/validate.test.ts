import { describe, expect, it } from 'vitest';
import type { JsonSchema } from '@klutch/cel';

import type { Json } from '../objects/api-object.ts';
import { joinProblems, typeProblems } from './validate.ts';
import { compileType } from './value-type.ts';

const text: JsonSchema = { type: 'string' };
const schema: JsonSchema = {
  type: 'object',
  properties: {
    spec: {
      type: 'object',
      properties: {
        size: { type: 'integer' },
        text,
        flag: { type: 'boolean' },
        when: { type: 'string', format: 'date-time' },
        list: { type: 'array', items: { type: 'object', properties: { a: text } } },
        set: { type: 'array', items: text, 'x-kubernetes-list-type': 'set' },
        keyed: {
          type: 'array',
          'x-kubernetes-list-type': 'map',
          'x-kubernetes-list-map-keys': ['name', 'port'],
          items: { type: 'object', properties: { name: text, port: { type: 'integer' }, a: text } },
        },
        any: { 'x-kubernetes-preserve-unknown-fields': true },
        settings: { type: 'object', additionalProperties: text },
      },
    },
  },
};
const type = compileType(schema);

function problemsOf(spec: Json, allowDuplicates = false): readonly string[] {
  return typeProblems(type, { apiVersion: 'v1', kind: 'X', metadata: {}, spec }, { allowDuplicates });
}

describe('typeProblems', () => {
  it.each<Json>([
    {},
    null,
    { size: 1.5, text: '', flag: false, when: '2020', list: [{}, { a: 'x' }], any: { a: [1, { b: null }] } },
    { size: null, text: null, flag: null, list: null, set: null, keyed: null, any: null, settings: null },
    { when: 5 },
    { keyed: [{ name: 'x' }, { name: 'x', port: 1 }, { port: 1 }] },
    { settings: { a: 'x', constructor: 'y' } },
  ])('finds none in %j', (spec) => {
    expect(problemsOf(spec)).toEqual([]);
  });

  it.each<{ spec: Json; problem: string }>([
    { spec: 'x', problem: '.spec: expected map, got &{x}' },
    { spec: [1], problem: '.spec: expected map, got &{[1]}' },
    { spec: { unknown: 1 }, problem: '.spec.unknown: field not declared in schema' },
    { spec: { size: '1' }, problem: '.spec.size: expected numeric (int or float), got string' },
    { spec: { size: {} }, problem: '.spec.size: expected numeric (int or float), got map[string]interface {}' },
    { spec: { text: 5 }, problem: '.spec.text: expected string, got &value.valueUnstructured{Value:5}' },
    {
      spec: { text: { a: 'b' } },
      problem: '.spec.text: expected string, got &value.valueUnstructured{Value:map[string]interface {}{"a":"b"}}',
    },
    { spec: { flag: 'yes' }, problem: '.spec.flag: expected boolean, got &{yes}' },
    { spec: { when: { a: 1 } }, problem: '.spec.when: expected any scalar, got &{map[a:1]}' },
    { spec: { list: 'x' }, problem: '.spec.list: expected list, got &{x}' },
    {
      spec: { list: [{}, { a: 1 }] },
      problem: '.spec.list[1].a: expected string, got &value.valueUnstructured{Value:1}',
    },
    { spec: { set: ['a', 'b', 'a'] }, problem: '.spec.set: duplicate entries for key [="a"]' },
    { spec: { set: [1] }, problem: '.spec.set[=1]: expected string, got &value.valueUnstructured{Value:1}' },
    {
      spec: { set: [{}] },
      problem: ".spec.set: element 0: associative list without keys has an element that's a map type",
    },
    { spec: { set: [[]] }, problem: '.spec.set: element 0: not supported: associative list with lists as elements' },
    {
      spec: { set: ['a', null] },
      problem: ".spec.set: element 1: associative list without keys has an element that's an explicit null",
    },
    {
      spec: {
        keyed: [
          { name: 'x', port: 1 },
          { port: 1, name: 'x' },
        ],
      },
      problem: '.spec.keyed: duplicate entries for key [name="x",port=1]',
    },
    {
      spec: { keyed: [{ name: 'x', a: 1 }] },
      problem: '.spec.keyed[name="x"].a: expected string, got &value.valueUnstructured{Value:1}',
    },
    {
      spec: { keyed: [null] },
      problem: '.spec.keyed: element 0: associative list with keys may not have a null element',
    },
    {
      spec: { keyed: ['x'] },
      problem: '.spec.keyed: element 0: associative list with keys may not have non-map elements',
    },
    {
      spec: { keyed: [{ a: 'x' }] },
      problem:
        '.spec.keyed: element 0: associative list with keys has an element that omits all key fields ["name" "port"] (and doesn\'t have default values for any key fields)',
    },
    {
      spec: { settings: { a: true } },
      problem: '.spec.settings.a: expected string, got &value.valueUnstructured{Value:true}',
    },
  ])('$problem', ({ spec, problem }) => {
    expect(problemsOf(spec)).toEqual([problem]);
  });

  it('allows duplicates where they may already be stored', () => {
    expect(problemsOf({ set: ['a', 'a'], keyed: [{ name: 'x' }, { name: 'x' }] }, true)).toEqual([]);
  });

  it('finds several', () => {
    const problems = problemsOf({ size: 'x', text: 1, set: ['a', 'a', 'a'] });
    expect(problems).toHaveLength(4);
    expect(joinProblems(problems.slice(0, 2))).toBe(
      'errors:\n  .spec.size: expected numeric (int or float), got string\n  .spec.text: expected string, got &value.valueUnstructured{Value:1}',
    );
    expect(joinProblems(['one'])).toBe('one');
  });

  it('looks at metadata too', () => {
    const object = { metadata: { labels: { a: 1 }, unknown: 1 } };
    expect(typeProblems(type, object, { allowDuplicates: true })).toEqual([
      '.metadata.labels.a: expected string, got &value.valueUnstructured{Value:1}',
      '.metadata.unknown: field not declared in schema',
    ]);
  });
});
