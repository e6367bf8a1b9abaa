import { beforeEach, describe, expect, it } from 'vitest';
import { alreadyExists, conflict, notFound, StatusError } from '../../status/status-error.ts';
import { testObject } from '../testing/test-types.ts';
import { testWorld, type TestWorld } from '../testing/test-world.ts';
import { ifPossible, ifThere } from './expected-failure.ts';
import { removeEntries } from './remove-entries.ts';
import { controllerActor, createSystemCaller, placeOf, placeOfKey, type SystemCaller } from './system-caller.ts';

let cluster: TestWorld;
let caller: SystemCaller;

beforeEach(async () => {
  cluster = await testWorld();
  caller = createSystemCaller(cluster.world, controllerActor('tester'));
  await cluster.create('namespaces', { name: 'one' });
});

const configMap = (name: string, fields: object = {}) =>
  testObject(cluster.type('configmaps'), { name, namespace: 'one' }, fields);
const read = (name: string) => cluster.read('configmaps', name, 'one');

describe('a part of the server that writes', () => {
  it('has the name of a service account of the system', () => {
    expect(controllerActor('tester')).toEqual({
      user: {
        name: 'system:serviceaccount:kube-system:tester',
        groups: ['system:serviceaccounts', 'system:serviceaccounts:kube-system', 'system:authenticated'],
      },
      fieldManager: 'kube-controller-manager',
    });
  });

  it('has written in memory when the call returns', async () => {
    const type = cluster.type('configmaps');
    const created = caller.create(type, configMap('a', { data: { x: '1' } }));
    expect(read('a')).toBeDefined();
    const patched = caller.mergePatch(type, { name: 'a', namespace: 'one' }, { data: { x: '2' } });
    expect(read('a')?.['data']).toEqual({ x: '2' });
    const replaced = caller.replace(type, configMap('a', { data: { x: '3' } }));
    expect(read('a')?.['data']).toEqual({ x: '3' });
    const removed = caller.remove(type, { name: 'a', namespace: 'one' });
    expect(read('a')).toBeUndefined();
    await Promise.all([created, patched, replaced, removed]);
  });

  it('appears in managedFields, with subresources and under another name where one is given', async () => {
    const type = cluster.type('namespaces');
    await cluster.create('namespaces', { name: 'labelled', labels: { of: 'alice' } });
    const namespace = cluster.read('namespaces', 'labelled');
    if (!namespace) throw new Error('no namespace');
    await caller.replace(type, { ...namespace, status: { phase: 'Active', x: 'y' } }, 'status');
    await caller.apply(type, testObject(type, { name: 'labelled', labels: { a: 'b' } }), 'applier');
    const owners = cluster.read('namespaces', 'labelled')?.metadata.managedFields;
    expect(owners).toContainEqual(
      expect.objectContaining({ manager: 'kube-controller-manager', operation: 'Update', subresource: 'status' }),
    );
    expect(owners).toContainEqual(expect.objectContaining({ manager: 'applier', operation: 'Apply' }));
  });

  it('obeys the rules for everyone', async () => {
    const bad = testObject(cluster.type('configmaps'), { name: 'Bad Name', namespace: 'one' });
    await expect(caller.create(cluster.type('configmaps'), bad)).rejects.toMatchObject({ code: 422 });
  });
});

describe('places', () => {
  it.each([
    ['one/a', { namespace: 'one', name: 'a' }],
    ['/a', { namespace: undefined, name: 'a' }],
    ['/system:a', { namespace: undefined, name: 'system:a' }],
  ])('are read from the key %s', (key, place) => {
    expect(placeOfKey(key)).toEqual(place);
  });

  it('are read from objects', () => {
    expect(placeOf(configMap('a'))).toEqual({ namespace: 'one', name: 'a' });
  });
});

describe('many deletions', () => {
  it('mark what finalizers hold, remove the rest and pass over what is gone', async () => {
    for (const name of ['a', 'b', 'c']) await caller.create(cluster.type('configmaps'), configMap(name));
    await cluster.patch('configmaps', 'b', { metadata: { finalizers: ['hold.me/please'] } }, 'one');
    const entries = cluster.store.scan('/configmaps');
    await cluster.remove('configmaps', 'c', 'one');
    await removeEntries(caller, cluster.type('configmaps'), entries);
    expect(cluster.keys('configmaps')).toEqual(['one/b']);
    expect(read('b')?.metadata.deletionTimestamp).toBeDefined();
  });
});

describe('failures that were to be expected', () => {
  const type = { group: '', resource: 'configmaps' };
  const terminating = new StatusError(403, 'Forbidden', 'no', {
    causes: [{ reason: 'NamespaceTerminating', message: '' }],
  });

  it.each([
    ['of a write to something gone', ifThere, notFound(type, 'a')],
    ['of a creation where something is already', ifPossible, alreadyExists(type, 'a')],
    ['of a creation in a namespace that is gone', ifPossible, notFound(type, 'a')],
    ['of a creation in a namespace that is going', ifPossible, terminating],
  ])('%s pass', async (_, wait, error) => {
    await expect(wait(Promise.reject(error))).resolves.toBeUndefined();
  });

  it.each([
    ['of a write that conflicts', ifThere, conflict(type, 'a', 'x')],
    ['of a creation that conflicts', ifPossible, conflict(type, 'a', 'x')],
    ['of a creation that is forbidden', ifPossible, new StatusError(403, 'Forbidden', 'no')],
    ['of another kind', ifThere, new Error('disk on fire')],
  ])('%s do not', async (_, wait, error) => {
    await expect(wait(Promise.reject(error))).rejects.toBe(error);
  });
});
