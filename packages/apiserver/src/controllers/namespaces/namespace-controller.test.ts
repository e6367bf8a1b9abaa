import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { RunningController } from '../context.ts';
import { crdBucket } from '../../crd/crd.ts';
import { createCrdRegistrar } from '../crds/crd-registrar.ts';
import { testCrd, testTypesOfCrd } from '../testing/test-types.ts';
import { dyingStore, recordEvents, type TestContext, testWorld, type TestWorld } from '../testing/test-world.ts';
import type { Namespace } from './namespace.ts';
import { startNamespaceController } from './namespace-controller.ts';
import { ensureSystemNamespaces, SYSTEM_NAMESPACES } from './system-namespaces.ts';

let cluster: TestWorld;
let stop: AbortController;
let context: TestContext;
let controller: RunningController;

const start = () => {
  stop = new AbortController();
  context = cluster.context(stop.signal);
  controller = startNamespaceController(context);
};

const halt = async () => {
  stop.abort();
  await controller.loop.stop();
};

const settle = () => controller.loop.idle();

const read = (): Namespace | undefined => cluster.read('namespaces', 'doomed');
const condition = (type: string) => read()?.status?.conditions?.find((candidate) => candidate.type === type);
const create = (resource: string, name: string, finalizers: string[] = []) =>
  cluster.create(resource, { name, namespace: 'doomed', finalizers });
const release = (resource: string, name: string) =>
  cluster.patch(resource, name, { metadata: { finalizers: null } }, 'doomed');

/** Waits for what happens without a write of ours, such as conditions that follow after a while. */
async function until(isSo: () => boolean): Promise<void> {
  const deadline = performance.now() + 5_000;
  while (!isSo()) {
    if (performance.now() > deadline) throw new Error('it did not happen');
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

beforeEach(async () => {
  cluster = await testWorld();
  await cluster.create('namespaces', { name: 'doomed', labels: { of: 'alice' } });
  await cluster.create('namespaces', { name: 'other' });
  start();
});

afterEach(halt);

describe('a namespace', () => {
  it('is left alone while nobody deletes it', async () => {
    const { revision } = cluster.store;
    await cluster.patch('namespaces', 'doomed', { metadata: { labels: { a: 'b' } } });
    await settle();
    expect(cluster.store.revision).toBe(revision + 1);
  });

  it('goes with everything in it, and nothing else', async () => {
    for (const resource of ['configmaps', 'secrets', 'pods', 'events']) await create(resource, 'a');
    await cluster.create('configmaps', { name: 'a', namespace: 'other' });
    const events = recordEvents(cluster, 'namespaces');
    await cluster.remove('namespaces', 'doomed');
    await settle();
    expect(cluster.keys('namespaces')).toEqual(['/other']);
    expect(cluster.keys('configmaps')).toEqual(['other/a']);
    expect(['secrets', 'pods', 'events'].flatMap((resource) => cluster.keys(resource))).toEqual([]);
    const history = events.map(({ type, entry }) => {
      const { spec, status } = entry.object() as Namespace;
      return [type, status?.phase, spec?.finalizers, status?.conditions?.map(({ status }) => status) ?? []];
    });
    const allFine = Array.from({ length: 5 }, () => 'False');
    expect(history).toEqual([
      ['MODIFIED', 'Terminating', ['kubernetes'], []],
      ['MODIFIED', 'Terminating', ['kubernetes'], allFine],
      ['DELETED', 'Terminating', ['kubernetes'], allFine],
    ]);
  });

  it('waits for what finalizers hold and says what that is', async () => {
    await create('configmaps', 'held', ['hold.me/please']);
    await create('configmaps', 'free');
    await create('secrets', 'held', ['hold.me/please', 'hold.me/too']);
    await cluster.remove('namespaces', 'doomed');
    await settle();
    expect(cluster.keys('configmaps')).toEqual(['doomed/held']);
    expect(condition('NamespaceContentRemaining')).toMatchObject({
      status: 'True',
      message: 'Some resources are remaining: configmaps. has 1 resource instances, secrets. has 1 resource instances',
    });
    expect(condition('NamespaceFinalizersRemaining')).toMatchObject({
      status: 'True',
      message:
        'Some content in the namespace has finalizers remaining: hold.me/please in 2 resource instances, hold.me/too in 1 resource instances',
    });
    expect(read()?.metadata.managedFields).toContainEqual(
      expect.objectContaining({ manager: 'kube-controller-manager', operation: 'Update', subresource: 'status' }),
    );
    await release('secrets', 'held');
    await until(() => condition('NamespaceContentRemaining')?.message.includes('secrets') === false);
    expect(read()).toBeDefined();
    await release('configmaps', 'held');
    await settle();
    expect(read()).toBeUndefined();
  });

  it('deletes pods before everything else', async () => {
    await create('pods', 'held', ['hold.me/please']);
    await create('configmaps', 'needed');
    await cluster.remove('namespaces', 'doomed');
    await settle();
    expect(cluster.keys('configmaps')).toEqual(['doomed/needed']);
    expect(condition('NamespaceContentRemaining')?.message).toBe(
      'Some resources are remaining: pods. has 1 resource instances',
    );
    await release('pods', 'held');
    await until(() => read() === undefined);
    expect(cluster.keys('configmaps')).toEqual([]);
  });

  it('does not wait for the garbage collector', async () => {
    await create('configmaps', 'held', ['foregroundDeletion']);
    await create('secrets', 'held', ['orphan']);
    await cluster.remove('configmaps', 'held', 'doomed');
    await cluster.remove('namespaces', 'doomed');
    await settle();
    expect(read()).toBeUndefined();
  });

  it('stays while somebody else holds it, empty', async () => {
    await cluster.patch('namespaces', 'doomed', { metadata: { finalizers: ['hold.me/please'] } });
    await create('configmaps', 'a');
    await cluster.remove('namespaces', 'doomed');
    await settle();
    expect(read()?.spec?.finalizers).toBeUndefined();
    expect(cluster.keys('configmaps')).toEqual([]);
    await cluster.patch('namespaces', 'doomed', { metadata: { finalizers: null } });
    expect(read()).toBeUndefined();
  });

  it('takes objects along of types that come later', async () => {
    await create('configmaps', 'held', ['hold.me/please']);
    const crd = testCrd('ex.io', { plural: 'things', kind: 'Thing' });
    crd.status = { conditions: [{ type: 'Established', status: 'True', reason: '', message: '' }] };
    createCrdRegistrar(context, testTypesOfCrd).show(crd);
    await cluster.store.commit({ bucket: crdBucket, key: '/things.ex.io', object: crd });
    await create('things', 'late', ['hold.me/please']);
    await cluster.remove('namespaces', 'doomed');
    await settle();
    await release('configmaps', 'held');
    await settle();
    expect(read()).toBeDefined();
    await release('things', 'late');
    await settle();
    expect(read()).toBeUndefined();
  });

  it('tells why it could not be emptied, and tries again', async () => {
    await create('configmaps', 'a');
    const commit = cluster.store.commit.bind(cluster.store);
    let isBroken = true;
    cluster.store.commit = (write) =>
      isBroken && write.object === undefined ? Promise.reject(new Error('disk on fire')) : commit(write);
    await cluster.remove('namespaces', 'doomed');
    await settle();
    expect(condition('NamespaceDeletionContentFailure')).toMatchObject({
      status: 'True',
      message: 'Failed to delete all resource types, 1 remaining: disk on fire',
    });
    expect(context.warnings).toContainEqual({ controller: 'namespace', key: 'doomed', problem: 'disk on fire' });
    isBroken = false;
    await until(() => read() === undefined);
  });

  it.each([0, 1, 2, 3, 4, 5])('goes after a restart when the controller was killed after %i writes', async (writes) => {
    await halt();
    for (const name of ['a', 'b', 'c']) await create('configmaps', name);
    await cluster.remove('namespaces', 'doomed');
    const { store } = cluster;
    cluster = await testWorld(dyingStore(store, writes));
    start();
    await settle();
    await halt();
    cluster = await testWorld(store);
    start();
    await settle();
    expect(cluster.keys('namespaces')).toEqual(['/other']);
    expect(cluster.keys('configmaps')).toEqual([]);
  });
});

describe('the namespaces of the system', () => {
  it('are created once', async () => {
    await ensureSystemNamespaces(cluster.world);
    expect(cluster.keys('namespaces')).toEqual(expect.arrayContaining(SYSTEM_NAMESPACES.map((name) => `/${name}`)));
    const { revision } = cluster.store;
    await ensureSystemNamespaces(cluster.world);
    expect(cluster.store.revision).toBe(revision);
  });

  it('come back when they are deleted', async () => {
    await ensureSystemNamespaces(cluster.world);
    const before = cluster.read('namespaces', 'kube-node-lease')?.metadata.uid;
    await cluster.remove('namespaces', 'kube-node-lease');
    await settle();
    const after = cluster.read('namespaces', 'kube-node-lease');
    expect(after?.metadata.uid).not.toBe(before);
    expect(after?.metadata.deletionTimestamp).toBeUndefined();
  });
});
