import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { crdBucket } from '../../crd/crd.ts';
import type { ApiObject, OwnerReference } from '../../objects/api-object.ts';
import { createCrdRegistrar } from '../crds/crd-registrar.ts';
import { testCrd, testTypesOfCrd } from '../testing/test-types.ts';
import { recordEvents, type TestContext, testWorld, type TestWorld } from '../testing/test-world.ts';
import { type GarbageCollector, startGarbageCollector } from './garbage-collector.ts';

let cluster: TestWorld;
let stop: AbortController;
let context: TestContext;
let collector: GarbageCollector;

const start = () => {
  stop = new AbortController();
  context = cluster.context(stop.signal);
  collector = startGarbageCollector(context);
};

const settle = async () => {
  await collector.scanned;
  await collector.loop.idle();
};

const halt = async () => {
  stop.abort();
  await collector.loop.stop();
};

const refTo = ({ apiVersion, kind, metadata }: ApiObject, more: Partial<OwnerReference> = {}): OwnerReference => ({
  apiVersion,
  kind,
  name: metadata.name ?? '',
  uid: metadata.uid ?? '',
  ...more,
});

const configMap = (name: string, owners: OwnerReference[] = [], finalizers: string[] = [], namespace = 'one') =>
  cluster.create('configmaps', { name, namespace, ownerReferences: owners, finalizers });

const remaining = () => cluster.keys('configmaps').map((key) => key.slice(key.indexOf('/') + 1));

const setOwners = (name: string, ownerReferences: OwnerReference[]) =>
  cluster.patch('configmaps', name, { metadata: { ownerReferences: ownerReferences as never } }, 'one');

beforeEach(async () => {
  cluster = await testWorld();
  for (const name of ['one', 'two', 'default']) await cluster.create('namespaces', { name });
  start();
});

afterEach(halt);

describe('background deletion', () => {
  it('deletes dependents, and theirs, once the owner is gone', async () => {
    const owner = await configMap('owner');
    const child = await configMap('child', [refTo(owner)]);
    await configMap('grandchild', [refTo(child)]);
    await configMap('stranger');
    await cluster.remove('configmaps', 'owner', 'one');
    await settle();
    expect(remaining()).toEqual(['stranger']);
  });

  it('leaves dependents alone while a finalizer holds the owner', async () => {
    const owner = await configMap('owner', [], ['hold.me/please']);
    await configMap('child', [refTo(owner)]);
    await cluster.remove('configmaps', 'owner', 'one', { propagation: 'Background' });
    await settle();
    expect(remaining()).toEqual(['child', 'owner']);
    await cluster.patch('configmaps', 'owner', { metadata: { finalizers: null } }, 'one');
    await settle();
    expect(remaining()).toEqual([]);
  });

  it('respects finalizers of dependents', async () => {
    const owner = await configMap('owner');
    await configMap('child', [refTo(owner)], ['hold.me/please']);
    await cluster.remove('configmaps', 'owner', 'one');
    await settle();
    expect(cluster.read('configmaps', 'child', 'one')?.metadata.deletionTimestamp).toBeDefined();
    await cluster.patch('configmaps', 'child', { metadata: { finalizers: null } }, 'one');
    await settle();
    expect(remaining()).toEqual([]);
  });

  it('takes only the owner that is gone out of a dependent with another one', async () => {
    const [first, second] = [await configMap('first'), await configMap('second')];
    await configMap('child', [refTo(first), refTo(second)]);
    await cluster.remove('configmaps', 'first', 'one');
    await settle();
    const child = cluster.read('configmaps', 'child', 'one');
    expect(child?.metadata.ownerReferences).toEqual([refTo(second)]);
    expect(child?.metadata.managedFields?.map(({ manager }) => manager)).toEqual(['kubectl']);
  });

  it('deletes an object that is its own owner, and rings of objects', async () => {
    const self = await configMap('self');
    await setOwners('self', [refTo(self, { blockOwnerDeletion: true })]);
    const one = await configMap('ring-1');
    const two = await configMap('ring-2', [refTo(one)]);
    await setOwners('ring-1', [refTo(two)]);
    await settle();
    expect(remaining()).toEqual(['ring-1', 'ring-2', 'self']);
    await cluster.remove('configmaps', 'self', 'one');
    await cluster.remove('configmaps', 'ring-1', 'one');
    await settle();
    expect(remaining()).toEqual([]);
  });

  it('deletes dependents of owners outside namespaces, wherever they are', async () => {
    const zone = await cluster.create('zones', { name: 'zone' });
    await configMap('child', [refTo(zone)], [], 'one');
    await configMap('child', [refTo(zone)], [], 'two');
    await cluster.create('zones', { name: 'child', ownerReferences: [refTo(zone)] });
    await cluster.remove('zones', 'zone');
    await settle();
    expect([...cluster.keys('configmaps'), ...cluster.keys('zones')]).toEqual([]);
  });
});

describe('an owner that never was', () => {
  const nobody: OwnerReference = { apiVersion: 'v1', kind: 'ConfigMap', name: 'nobody', uid: 'none' };

  it('costs its dependent the existence', async () => {
    await configMap('child', [nobody]);
    await settle();
    expect(remaining()).toEqual([]);
  });

  it('is one whose name is taken by another object', async () => {
    const owner = await configMap('owner');
    await configMap('impostor', [{ ...refTo(owner), uid: 'another' }]);
    await configMap('misnamed', [{ ...refTo(owner), name: 'other' }]);
    await settle();
    expect(remaining()).toEqual(['owner']);
  });

  it('is one of the same name in another namespace, which an Event tells', async () => {
    const owner = await configMap('owner');
    const child = await configMap('child', [refTo(owner)], [], 'two');
    await settle();
    expect(cluster.keys('configmaps')).toEqual(['one/owner']);
    const [key = ''] = cluster.keys('events');
    expect(key).toMatch(/^two\/child\.[0-9a-f]{16}$/);
    expect(cluster.read('events', key.slice(4), 'two')).toMatchObject({
      involvedObject: { kind: 'ConfigMap', namespace: 'two', name: 'child', uid: child.metadata.uid, apiVersion: 'v1' },
      message: `ownerRef [v1/ConfigMap, namespace: two, name: owner, uid: ${owner.metadata.uid}] does not exist in namespace "two"`,
      reason: 'OwnerRefInvalidNamespace',
      type: 'Warning',
    });
  });

  it('does not cost an object outside namespaces anything, and an Event tells once', async () => {
    const owner = await configMap('owner');
    await cluster.create('zones', { name: 'child', ownerReferences: [refTo(owner), nobody] });
    await settle();
    expect(cluster.keys('zones')).toEqual(['/child']);
    const events = cluster.keys('events');
    expect(events).toHaveLength(1);
    expect(events[0]).toMatch(/^default\/child\./);
    await halt();
    start();
    await settle();
    expect(cluster.keys('events')).toEqual(events);
    expect(context.warnings).toEqual([]);
  });

  it('is told in the log when there is no place for an Event', async () => {
    const owner = await configMap('owner');
    await configMap('child', [refTo(owner)], [], 'two');
    await cluster.remove('namespaces', 'two');
    await settle();
    expect(context.warnings).toMatchObject([{ namespace: 'two', problem: expect.stringContaining('is forbidden') }]);
    expect(cluster.keys('configmaps')).toEqual(['one/owner']);
  });

  it('is not one of a kind that is not served', async () => {
    const unknown = { ...nobody, apiVersion: 'elsewhere.org/v1' };
    await configMap('child', [unknown]);
    await configMap('child-2', [unknown, nobody]);
    await settle();
    expect(remaining()).toEqual(['child', 'child-2']);
  });

  it('is not one of a kind whose objects are never kept', async () => {
    await configMap('child', [{ ...nobody, apiVersion: 'authentication.k8s.io/v1', kind: 'TokenReview' }]);
    await settle();
    expect(remaining()).toEqual(['child']);
  });

  it('may turn out to be one when its kind comes to be served', async () => {
    const unknown = { ...nobody, apiVersion: 'elsewhere.org/v1', kind: 'Thing' };
    await configMap('child', [unknown]);
    await settle();
    const crd = testCrd('elsewhere.org', { plural: 'things', kind: 'Thing' });
    crd.status = { conditions: [{ type: 'Established', status: 'True', reason: '', message: '' }] };
    createCrdRegistrar(context, testTypesOfCrd).show(crd);
    await settle();
    expect(remaining()).toEqual([]);
  });
});

describe('owners whose type goes with them', () => {
  const crd = () => {
    const made = testCrd('elsewhere.org', { plural: 'parents', kind: 'Parent' });
    made.status = { conditions: [{ type: 'Established', status: 'True', reason: '', message: '' }] };
    return made;
  };

  it('are gone although their type is not served any more, however many they were', async () => {
    const registrar = createCrdRegistrar(context, testTypesOfCrd);
    registrar.show(crd());
    await cluster.store.commit({ bucket: crdBucket, key: '/parents.elsewhere.org', object: crd() });
    const names = Array.from({ length: 600 }, (_, index) => `p${index}`);
    for (const name of names) {
      const owner = await cluster.create('parents', { name, namespace: 'one' });
      await configMap(name, [refTo(owner)]);
    }
    await settle();
    await Promise.all(names.map((name) => cluster.remove('parents', name, 'one')));
    registrar.hide(crd().metadata.name ?? '');
    await settle();
    expect(remaining()).toEqual([]);
  });
});

describe('foreground deletion', () => {
  it('keeps the owner until the dependents that block it are gone', async () => {
    const owner = await configMap('owner');
    await configMap('blocking', [refTo(owner, { blockOwnerDeletion: true })], ['hold.me/please']);
    await configMap('other', [refTo(owner)]);
    await cluster.remove('configmaps', 'owner', 'one', { propagation: 'Foreground' });
    await settle();
    expect(remaining()).toEqual(['blocking', 'owner']);
    await cluster.patch('configmaps', 'blocking', { metadata: { finalizers: null } }, 'one');
    await settle();
    expect(remaining()).toEqual([]);
  });

  it('deletes grandchildren before children before the owner', async () => {
    const block = { blockOwnerDeletion: true };
    const owner = await configMap('owner');
    const child = await configMap('child', [refTo(owner, block)]);
    await configMap('grandchild', [refTo(child, block)]);
    const events = recordEvents(cluster, 'configmaps');
    await cluster.remove('configmaps', 'owner', 'one', { propagation: 'Foreground' });
    await settle();
    const deleted = events.filter(({ type }) => type === 'DELETED').map(({ entry }) => entry.key);
    expect(deleted).toEqual(['one/grandchild', 'one/child', 'one/owner']);
  });

  it('goes on when a dependent does not block any more', async () => {
    const owner = await configMap('owner');
    await configMap('child', [refTo(owner, { blockOwnerDeletion: true })], ['hold.me/please']);
    await cluster.remove('configmaps', 'owner', 'one', { propagation: 'Foreground' });
    await settle();
    await setOwners('child', [refTo(owner)]);
    await settle();
    expect(remaining()).toEqual(['child']);
  });

  it('takes the owner out of dependents that have another one', async () => {
    const [first, second] = [await configMap('first'), await configMap('second')];
    await configMap('child', [refTo(first, { blockOwnerDeletion: true }), refTo(second)]);
    await cluster.remove('configmaps', 'first', 'one', { propagation: 'Foreground' });
    await settle();
    expect(remaining()).toEqual(['child', 'second']);
    expect(cluster.read('configmaps', 'child', 'one')?.metadata.ownerReferences).toEqual([refTo(second)]);
  });

  it('ends for rings of objects and for objects that are their own owner', async () => {
    const block = { blockOwnerDeletion: true };
    const one = await configMap('ring-1');
    const two = await configMap('ring-2', [refTo(one, block)]);
    const three = await configMap('ring-3', [refTo(two, block)]);
    await setOwners('ring-1', [refTo(three, block)]);
    const self = await configMap('self');
    await setOwners('self', [refTo(self, block)]);
    await cluster.remove('configmaps', 'ring-1', 'one', { propagation: 'Foreground' });
    await cluster.remove('configmaps', 'self', 'one', { propagation: 'Foreground' });
    await settle();
    expect(remaining()).toEqual([]);
  });

  it('deletes an object with the finalizer of foreground deletion and no dependents', async () => {
    await configMap('owner', [], ['foregroundDeletion']);
    await cluster.remove('configmaps', 'owner', 'one');
    await settle();
    expect(remaining()).toEqual([]);
  });
});

describe('deletion that leaves orphans', () => {
  it('takes the owner out of its dependents before it goes', async () => {
    const [owner, second] = [await configMap('owner'), await configMap('second')];
    await configMap('child', [refTo(owner, { blockOwnerDeletion: true })]);
    await configMap('child-2', [refTo(second), refTo(owner)]);
    await cluster.remove('configmaps', 'owner', 'one', { propagation: 'Orphan' });
    await settle();
    expect(remaining()).toEqual(['child', 'child-2', 'second']);
    expect(cluster.read('configmaps', 'child', 'one')?.metadata.ownerReferences).toBeUndefined();
    expect(cluster.read('configmaps', 'child-2', 'one')?.metadata.ownerReferences).toEqual([refTo(second)]);
  });

  it('keeps an owner that somebody else holds', async () => {
    const owner = await configMap('owner', [], ['hold.me/please']);
    await configMap('child', [refTo(owner)]);
    await cluster.remove('configmaps', 'owner', 'one', { propagation: 'Orphan' });
    await settle();
    expect(remaining()).toEqual(['child', 'owner']);
    expect(cluster.read('configmaps', 'owner', 'one')?.metadata.finalizers).toEqual(['hold.me/please']);
    expect(cluster.read('configmaps', 'child', 'one')?.metadata.ownerReferences).toBeUndefined();
  });
});

describe('a collector that starts', () => {
  it('collects what became garbage while it was away', async () => {
    const owner = await configMap('owner');
    const kept = await configMap('kept');
    await configMap('child', [refTo(owner)]);
    await configMap('child-2', [refTo(kept)]);
    await settle();
    await halt();
    await cluster.remove('configmaps', 'owner', 'one');
    await cluster.remove('configmaps', 'kept', 'one', { propagation: 'Orphan' });
    start();
    await settle();
    expect(remaining()).toEqual(['child-2']);
  });

  it('decides about nothing before it has seen everything', async () => {
    await halt();
    const owner = await configMap('a-owner');
    for (let index = 0; index < 2_500; index++) await configMap(`stranger-${index}`);
    await configMap('zz-child', [refTo(owner, { blockOwnerDeletion: true })], ['hold.me/please']);
    await cluster.remove('configmaps', 'a-owner', 'one', { propagation: 'Foreground' });
    start();
    await settle();
    expect(remaining()).toContain('a-owner');
  });

  it('writes nothing when there is nothing to collect', async () => {
    const owner = await configMap('owner');
    await configMap('child', [refTo(owner)]);
    await configMap('unclear', [{ apiVersion: 'no/where', kind: 'X', name: 'x', uid: 'x' }]);
    await settle();
    await halt();
    const { revision } = cluster.store;
    start();
    await settle();
    await cluster.patch('configmaps', 'child', { data: { a: 'b' } }, 'one');
    await settle();
    expect(cluster.store.revision).toBe(revision + 1);
  });

  it('stops while it is still looking', async () => {
    await halt();
    for (let index = 0; index < 2_500; index++) await configMap(`stranger-${index}`);
    start();
    await halt();
    await collector.scanned;
    expect(collector.loop.isIdle).toBe(true);
  });
});
