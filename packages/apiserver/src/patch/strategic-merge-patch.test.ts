import { describe, expect, it } from 'vitest';
import type { JsonSchema } from '@klutch/cel';

import type { Json, JsonObject } from '../objects/api-object.ts';
import { applyStrategicMergePatch } from './strategic-merge-patch.ts';

const text: JsonSchema = { type: 'string' };
const mergedTexts: JsonSchema = { type: 'array', items: text, 'x-kubernetes-patch-strategy': 'merge' };
const byName = { 'x-kubernetes-patch-strategy': 'merge', 'x-kubernetes-patch-merge-key': 'name' } as const;
const env: JsonSchema = {
  type: 'array',
  ...byName,
  items: { type: 'object', properties: { name: text, value: text } },
};
const container: JsonSchema = {
  type: 'object',
  title: 'Container',
  properties: { name: text, image: text, env, args: { type: 'array', items: text }, flags: mergedTexts },
};
const schema: JsonSchema = {
  type: 'object',
  title: 'Pod',
  properties: {
    containers: { type: 'array', ...byName, items: container },
    volumes: {
      type: 'array',
      'x-kubernetes-patch-strategy': 'merge,retainKeys',
      'x-kubernetes-patch-merge-key': 'name',
      items: { type: 'object', properties: { name: text, emptyDir: { type: 'object' }, secret: { type: 'object' } } },
    },
    strategy: {
      type: 'object',
      'x-kubernetes-patch-strategy': 'retainKeys',
      properties: { type: text, rolling: text },
    },
    status: { type: 'object', 'x-kubernetes-patch-strategy': 'replace', properties: { phase: text, reason: text } },
    selector: { type: 'object', additionalProperties: text },
    nodes: { type: 'object', additionalProperties: { type: 'object', properties: { a: text, b: text } } },
    replicas: { type: 'integer' },
    unkeyed: { type: 'array', 'x-kubernetes-patch-strategy': 'merge', items: { type: 'object' } },
  },
};

const named = (...names: string[]) => names.map((name) => ({ name }));

describe('applyStrategicMergePatch', () => {
  it.each<{ name: string; document: JsonObject; patch: Json; result: JsonObject }>([
    { name: 'null is a patch that changes nothing', document: { replicas: 1 }, patch: null, result: { replicas: 1 } },
    { name: 'scalars', document: { replicas: 1 }, patch: { replicas: 2 }, result: { replicas: 2 } },
    {
      name: 'null removes',
      document: { replicas: 1, selector: { a: '1' } },
      patch: { replicas: null, selector: { a: null } },
      result: { selector: {} },
    },
    {
      name: 'null of something missing',
      document: {},
      patch: { replicas: null, selector: { a: null, b: '1' } },
      result: { selector: { b: '1' } },
    },
    {
      name: 'objects merge, also those of a map',
      document: { nodes: { x: { a: '1' }, y: { a: '1' } } },
      patch: { nodes: { x: { b: '2' }, z: { a: '3' } } },
      result: { nodes: { x: { a: '1', b: '2' }, y: { a: '1' }, z: { a: '3' } } },
    },
    {
      name: 'an object of another type takes over',
      document: { selector: 'odd' },
      patch: { selector: { a: '1', b: null } },
      result: { selector: { a: '1' } },
    },
    {
      name: 'lists merge by key, and items merge inside',
      document: {
        containers: [
          { name: 'a', image: '1', env: [{ name: 'X', value: '1' }] },
          { name: 'b', image: '1' },
        ],
      },
      patch: { containers: [{ name: 'a', image: '2', env: [{ name: 'Y', value: '2' }] }] },
      result: {
        containers: [
          {
            name: 'a',
            image: '2',
            env: [
              { name: 'Y', value: '2' },
              { name: 'X', value: '1' },
            ],
          },
          { name: 'b', image: '1' },
        ],
      },
    },
    {
      name: 'lists without a strategy are replaced',
      document: { containers: [{ name: 'a', args: ['x', 'y'] }] },
      patch: { containers: [{ name: 'a', args: ['z'] }] },
      result: { containers: [{ name: 'a', args: ['z'] }] },
    },
    {
      name: 'lists of scalars merge as sets',
      document: { metadata: { finalizers: ['a', 'b'] } },
      patch: { metadata: { finalizers: ['c', 'b'] } },
      result: { metadata: { finalizers: ['c', 'a', 'b'] } },
    },
    {
      name: 'items of a set are deleted',
      document: { metadata: { finalizers: ['a', 'b', 'c'] } },
      patch: { metadata: { '$deleteFromPrimitiveList/finalizers': ['a', 'x'] } },
      result: { metadata: { finalizers: ['b', 'c'] } },
    },
    {
      name: 'deletion from a list that is not there',
      document: { metadata: {} },
      patch: { metadata: { '$deleteFromPrimitiveList/finalizers': ['a'] } },
      result: { metadata: {} },
    },
    {
      name: 'metadata merges without a word in the schema',
      document: { metadata: { labels: { a: '1' }, ownerReferences: [{ uid: 'u', name: 'n' }] } },
      patch: {
        metadata: {
          labels: { b: '2' },
          ownerReferences: [
            { uid: 'u', controller: true },
            { uid: 'v', name: 'm' },
          ],
        },
      },
      result: {
        metadata: {
          labels: { a: '1', b: '2' },
          ownerReferences: [
            { uid: 'u', name: 'n', controller: true },
            { uid: 'v', name: 'm' },
          ],
        },
      },
    },
    {
      name: '$patch: replace of an object',
      document: { selector: { a: '1', b: '2' } },
      patch: { selector: { $patch: 'replace', c: '3' } },
      result: { selector: { c: '3' } },
    },
    {
      name: '$patch: delete of an object',
      document: { selector: { a: '1' }, replicas: 1 },
      patch: { selector: { $patch: 'delete' } },
      result: { selector: {}, replicas: 1 },
    },
    {
      name: '$patch: delete of an item',
      document: { containers: [...named('a'), ...named('b'), ...named('c')] },
      patch: {
        containers: [
          { name: 'b', $patch: 'delete' },
          { name: 'x', $patch: 'delete' },
        ],
      },
      result: { containers: named('a', 'c') },
    },
    {
      name: '$patch: replace of a list',
      document: { containers: named('a', 'b') },
      patch: { containers: [{ $patch: 'replace' }, { name: 'c' }] },
      result: { containers: named('c') },
    },
    {
      name: 'directives in what is new do not get into the object',
      document: {},
      patch: { selector: { $patch: 'delete' }, containers: [{ name: 'a', $patch: 'delete' }, { name: 'b' }] },
      result: { containers: named('b') },
    },
    {
      name: '$retainKeys clears what it does not name',
      document: { strategy: { type: 'Rolling', rolling: 'x' } },
      patch: { strategy: { $retainKeys: ['type'], type: 'Recreate' } },
      result: { strategy: { type: 'Recreate' } },
    },
    {
      name: '$retainKeys in items',
      document: { volumes: [{ name: 'v', emptyDir: {} }] },
      patch: { volumes: [{ name: 'v', $retainKeys: ['name', 'secret'], secret: { secretName: 's' } }] },
      result: { volumes: [{ name: 'v', secret: { secretName: 's' } }] },
    },
    {
      name: 'an object with the strategy to replace',
      document: { status: { phase: 'A', reason: 'r' } },
      patch: { status: { phase: 'B' } },
      result: { status: { phase: 'B' } },
    },
    {
      name: 'other objects of a deleted list',
      document: { containers: named('a') },
      patch: { containers: null },
      result: {},
    },
    {
      name: 'empty lists',
      document: { containers: [] },
      patch: { containers: [] },
      result: { containers: [] },
    },
  ])('$name', ({ document, patch, result }) => {
    const given = JSON.stringify([document, patch]);
    expect(applyStrategicMergePatch(document, patch, schema)).toEqual(result);
    expect(JSON.stringify([document, patch])).toBe(given);
  });

  it.each<{ name: string; live: string[]; order: string[]; changes: JsonObject[]; result: string[] }>([
    {
      name: 'reorders without other changes',
      live: ['a', 'b', 'c'],
      order: ['c', 'a'],
      changes: [],
      result: ['b', 'c', 'a'],
    },
    {
      name: 'places new items',
      live: ['a', 'b'],
      order: ['n', 'b', 'a'],
      changes: named('n'),
      result: ['n', 'b', 'a'],
    },
    {
      name: 'keeps items of others between',
      live: ['a', 'x', 'b'],
      order: ['a', 'b', 'n'],
      changes: named('n'),
      result: ['a', 'x', 'b', 'n'],
    },
    {
      name: 'lets a new item take the place of a deleted one',
      live: ['a', 'x'],
      order: ['n'],
      changes: [{ name: 'n' }, { name: 'a', $patch: 'delete' }],
      result: ['x', 'n'],
    },
    {
      name: 'deletes',
      live: ['a', 'b', 'c'],
      order: ['c', 'a'],
      changes: [{ name: 'b', $patch: 'delete' }],
      result: ['c', 'a'],
    },
  ])('$setElementOrder $name', ({ live, order, changes, result }) => {
    const patch = {
      '$setElementOrder/containers': named(...order),
      ...(changes.length === 0 ? {} : { containers: changes }),
    };
    const patched = applyStrategicMergePatch({ containers: named(...live) }, patch, schema);
    expect(patched).toEqual({ containers: named(...result) });
  });

  it('creates a list in the order prescribed', () => {
    const patch = { '$setElementOrder/containers': named('b', 'a'), containers: [...named('b'), ...named('a')] };
    expect(applyStrategicMergePatch({}, patch, schema)).toEqual({ containers: named('b', 'a') });
    expect(applyStrategicMergePatch({}, { '$setElementOrder/containers': named('b') }, schema)).toEqual({});
  });

  it('orders lists of scalars', () => {
    const patch = { metadata: { '$setElementOrder/finalizers': ['c', 'a'], finalizers: ['c'] } };
    const patched = applyStrategicMergePatch({ metadata: { finalizers: ['a', 'x'] } }, patch, schema);
    expect(patched).toEqual({ metadata: { finalizers: ['c', 'a', 'x'] } });
  });
});

const live: JsonObject = {
  metadata: { finalizers: ['f'], ownerReferences: [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'x', uid: 'u1' }] },
  selector: { a: '1' },
  strategy: { type: 'x' },
  unkeyed: [{ a: 1 }],
};

describe('mistakes in strategic merge patches', () => {
  it.each<{ patch: Json; code: number; message: string }>([
    { patch: [], code: 400, message: 'json: cannot unmarshal array into Go value of type map[string]interface {}' },
    { patch: 'x', code: 400, message: 'json: cannot unmarshal string into Go value of type map[string]interface {}' },
    { patch: { strategy: { $retainKeys: 'type' } }, code: 400, message: 'invalid patch format of retainKeys' },
    {
      patch: { strategy: { $retainKeys: ['type'], rolling: 'x' } },
      code: 400,
      message: 'invalid patch format of retainKeys',
    },
    {
      patch: { metadata: { $setElementOrder: ['x'] } },
      code: 400,
      message: 'invalid patch format of setElementOrder list',
    },
    {
      patch: { metadata: { $deleteFromPrimitiveList: ['x'] } },
      code: 400,
      message: 'invalid patch format of primitive list',
    },
    {
      patch: { selector: { $patch: 'merge' } },
      code: 500,
      message: 'unknown patch type: merge in map: map[$patch:merge]',
    },
    {
      patch: { selector: { $patch: 'foo', b: [1, 'x', null, { z: true }] } },
      code: 500,
      message: 'unknown patch type: foo in map: map[$patch:foo b:[1 x <nil> map[z:true]]]',
    },
    {
      patch: { metadata: { '$setElementOrder/finalizers': 'x' } },
      code: 500,
      message: 'expected a []interface {}, but received a string',
    },
    {
      patch: { metadata: { '$setElementOrder/finalizers': ['x'], finalizers: ['y'] } },
      code: 500,
      message: "The order in patch list:\n[y]\n doesn't match $setElementOrder list:\n[x]\n",
    },
    {
      patch: {
        metadata: { '$setElementOrder/ownerReferences': [{ uid: 'u2' }], ownerReferences: [{ uid: 'u1', name: 'y' }] },
      },
      code: 500,
      message: "The order in patch list:\n[map[name:y uid:u1]]\n doesn't match $setElementOrder list:\n[map[uid:u2]]\n",
    },
    {
      patch: { metadata: { '$setElementOrder/ownerReferences': [{ name: 'u2' }], ownerReferences: [{ uid: 'u1' }] } },
      code: 500,
      message: 'map: map[name:u2] does not contain declared merge key: uid',
    },
    {
      patch: { metadata: { '$setElementOrder/foo': ['x'], foo: ['x'] } },
      code: 500,
      message: 'unable to find api field in struct ObjectMeta for the json field "foo"',
    },
    {
      patch: { metadata: { ownerReferences: [{ $patch: 'delete', b: 1.5 }] } },
      code: 500,
      message: 'map: map[$patch:delete b:1.5] does not contain declared merge key: uid',
    },
    {
      patch: { metadata: { ownerReferences: [{ name: 'z' }] } },
      code: 500,
      message: 'map: map[name:z] does not contain declared merge key: uid',
    },
    {
      patch: { metadata: { ownerReferences: [{ $patch: 'merge' }] } },
      code: 500,
      message: 'merging lists cannot yet be specified in the patch',
    },
    {
      patch: { metadata: { ownerReferences: [{ $patch: 'xx', uid: 'u1' }] } },
      code: 500,
      message: 'unknown patch type: xx in map: map[$patch:xx uid:u1]',
    },
    {
      patch: { metadata: { ownerReferences: ['x'] } },
      code: 500,
      message: 'list element types are not identical: [[map[apiVersion:v1 kind:ConfigMap name:x uid:u1]] [x]]',
    },
    {
      patch: { unkeyed: [{ b: 1 }] },
      code: 500,
      message: 'cannot merge lists without merge key for struct',
    },
  ])('$message', ({ patch, code, message }) => {
    expect(() => applyStrategicMergePatch(live, patch, schema)).toThrow(expect.objectContaining({ code, message }));
  });

  it('does not merge lists of lists', () => {
    const document = { metadata: { finalizers: [] } };
    expect(() => applyStrategicMergePatch(document, { metadata: { finalizers: [['x']] } }, schema)).toThrow(
      expect.objectContaining({ code: 422, reason: 'Invalid' }),
    );
  });

  it('needs items to order', () => {
    const patch = { metadata: { '$setElementOrder/finalizers': ['x'], finalizers: [] } };
    expect(() => applyStrategicMergePatch({ metadata: {} }, patch, schema)).toThrow(
      'no elements in any of the given slices',
    );
  });
});
