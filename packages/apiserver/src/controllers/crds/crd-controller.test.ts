import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Crd, crdCondition, isEstablished } from '../../crd/crd.ts';
import type { Json } from '../../objects/api-object.ts';
import { StatusError } from '../../status/status-error.ts';
import type { RunningController } from '../context.ts';
import { testCrd, testTypesOfCrd } from '../testing/test-types.ts';
import { dyingStore, recordEvents, type TestContext, testWorld, type TestWorld } from '../testing/test-world.ts';
import { startCrdController } from './crd-controller.ts';
import type { TypesOfCrd } from './served-types.ts';

let cluster: TestWorld;
let stop: AbortController;
let context: TestContext;
let controller: RunningController;

const start = (typesOf: TypesOfCrd = testTypesOfCrd) => {
  stop = new AbortController();
  context = cluster.context(stop.signal);
  controller = startCrdController(context, typesOf);
};

const halt = async () => {
  stop.abort();
  await controller.loop.stop();
};

const settle = () => controller.loop.idle();

const define = (plural: string, kind: string, more: Partial<Crd['spec']> = {}, metadata: Crd['metadata'] = {}) => {
  const crd = testCrd('ex.io', { plural, kind, ...more.names }, more);
  return cluster.create('customresourcedefinitions', { ...crd.metadata, ...metadata }, { spec: crd.spec });
};

const stored = (plural: string) => cluster.read('customresourcedefinitions', `${plural}.ex.io`) as Crd | undefined;
const served = (plural: string) => cluster.world.registry.find('ex.io', 'v1', plural);
const removeCrd = (plural: string) => cluster.remove('customresourcedefinitions', `${plural}.ex.io`);

beforeEach(async () => {
  cluster = await testWorld();
  for (const name of ['one', 'two']) await cluster.create('namespaces', { name });
  start();
});

afterEach(halt);

describe('a new definition', () => {
  it('is established, and served before anyone can see that it is', async () => {
    const seen: { established: boolean; served: boolean }[] = [];
    cluster.store.watch('apiextensions.k8s.io/customresourcedefinitions', cluster.store.revision, ({ entry }) => {
      seen.push({ established: isEstablished(entry.object() as Crd), served: served('things') !== undefined });
    });
    await define('things', 'Thing');
    expect(served('things')).toBeUndefined();
    await settle();
    expect(seen).toEqual([
      { established: false, served: false },
      { established: true, served: true },
    ]);
    expect(stored('things')?.status?.acceptedNames).toMatchObject({ plural: 'things', kind: 'Thing' });
    const ours = { manager: 'kube-apiserver', operation: 'Update', subresource: 'status' };
    expect(stored('things')?.metadata.managedFields).toContainEqual(expect.objectContaining(ours));
  });

  it('has no history from before it was served, nor from before it changed', async () => {
    const crd = testCrd('ex.io', { plural: 'youngs', kind: 'Young' });
    const before = cluster.store.revision;
    await cluster.create('customresourcedefinitions', crd.metadata, { spec: crd.spec });
    await settle();
    const since = cluster.world.registry.find('ex.io', 'v1', 'youngs')?.since ?? 0;
    expect(since).toBeGreaterThan(before);
    expect(since).toBeLessThanOrEqual(cluster.store.revision);

    const versions = [...crd.spec.versions, { name: 'v2', served: true, storage: false }];
    await cluster.patch('customresourcedefinitions', 'youngs.ex.io', { spec: { versions } } as unknown as Json);
    await settle();
    expect(cluster.world.registry.find('ex.io', 'v2', 'youngs')?.since).toBeGreaterThan(since);
  });

  it('is served in memory at the moment its status is', async () => {
    const commit = cluster.store.commit.bind(cluster.store);
    const served: (string | undefined)[] = [];
    cluster.store.commit = (write) => {
      const result = commit(write);
      if (write.object?.kind === 'CustomResourceDefinition' && isEstablished(write.object as Crd)) {
        served.push(cluster.world.registry.find('ex.io', 'v1', 'things')?.kind);
      }
      return result;
    };
    await define('things', 'Thing');
    await settle();
    expect(served).toEqual(['Thing']);
  });

  it('tells those who follow the types', async () => {
    const served: number[] = [];
    context.typeChanges.subscribe(() => served.push(cluster.world.registry.all().length));
    const before = cluster.world.registry.all().length;
    await define('things', 'Thing');
    await settle();
    expect(served).toEqual([before + 1]);
  });

  it('is not established while another one has its names, but as soon as they are free', async () => {
    await define('things', 'Thing');
    await define('objects', 'Thing');
    await settle();
    expect(crdCondition(stored('objects') as Crd, 'NamesAccepted')?.status).toBe('False');
    expect(served('objects')).toBeUndefined();
    await removeCrd('things');
    await settle();
    expect(stored('things')).toBeUndefined();
    expect(isEstablished(stored('objects') as Crd)).toBe(true);
    expect(served('objects')?.kind).toBe('Thing');
  });

  it('takes over short names that another one gives up', async () => {
    await define('things', 'Thing', { names: { plural: 'things', kind: 'Thing', shortNames: ['x'] } });
    await define('others', 'Other', { names: { plural: 'others', kind: 'Other', shortNames: ['x'] } });
    await settle();
    expect(crdCondition(stored('others') as Crd, 'NamesAccepted')?.reason).toBe('ShortNamesConflict');
    const spec = { names: { shortNames: null } };
    await cluster.patch('customresourcedefinitions', 'things.ex.io', { spec });
    await settle();
    expect(crdCondition(stored('others') as Crd, 'NamesAccepted')?.status).toBe('True');
  });

  it('does not replace a type that the server has by itself', async () => {
    const crd = testCrd('example.org', { plural: 'zones', kind: 'Zone' }, { scope: 'Cluster' });
    await cluster.create('customresourcedefinitions', crd.metadata, { spec: crd.spec });
    await cluster.create('zones', { name: 'kept' });
    await settle();
    expect(cluster.type('zones').builtIn).toBe(true);
    await cluster.remove('customresourcedefinitions', 'zones.example.org');
    await settle();
    expect(cluster.keys('customresourcedefinitions')).toEqual([]);
    expect(cluster.keys('zones')).toEqual(['/kept']);
  });
});

describe('a changed definition', () => {
  it('is served as it is by the time its writer has the answer', async () => {
    await define('things', 'Thing');
    await settle();
    const versions = [
      { name: 'v1', served: true, storage: true },
      { name: 'v2', served: true, storage: false },
    ];
    await cluster.patch('customresourcedefinitions', 'things.ex.io', { spec: { versions } });
    expect(cluster.world.registry.find('ex.io', 'v2', 'things')?.kind).toBe('Thing');
  });

  it('does not disturb the registry when nothing about its types has changed', async () => {
    await define('things', 'Thing');
    await settle();
    const { generation } = cluster.world.registry;
    await cluster.patch('customresourcedefinitions', 'things.ex.io', { metadata: { labels: { a: 'b' } } });
    await settle();
    expect(cluster.world.registry.generation).toBe(generation);
  });

  it('is not served, with a word in the log, when it cannot be', async () => {
    await halt();
    start((crd) => {
      if (crd.spec.versions.length > 1) throw new Error('cannot compile');
      return testTypesOfCrd(crd);
    });
    await define('things', 'Thing');
    await settle();
    const versions = ['v1', 'v2'].map((name) => ({ name, served: true, storage: name === 'v1' }));
    await cluster.patch('customresourcedefinitions', 'things.ex.io', { spec: { versions } });
    expect(served('things')).toBeUndefined();
    expect(context.warnings).toEqual([{ name: 'things.ex.io', problem: 'Error: cannot compile' }]);
  });
});

describe('a deleted definition', () => {
  const create = (name: string, namespace: string, finalizers: string[] = []) =>
    cluster.create('things', { name, namespace, finalizers });
  const bucket = 'ex.io/things';

  beforeEach(async () => {
    await define('things', 'Thing');
    await settle();
  });

  it('goes after its instances, and says what it is doing', async () => {
    await create('a', 'one');
    await create('b', 'two');
    const events = recordEvents(cluster, 'customresourcedefinitions');
    await removeCrd('things');
    await settle();
    expect(cluster.store.count(bucket)).toBe(0);
    const history = events.map(({ type, entry }) => [type, crdCondition(entry.object() as Crd, 'Terminating')?.reason]);
    expect(history).toEqual([
      ['MODIFIED', 'InstanceDeletionPending'],
      ['MODIFIED', 'InstanceDeletionInProgress'],
      ['DELETED', 'InstanceDeletionInProgress'],
    ]);
    expect(served('things')).toBeUndefined();
  });

  it('waits for instances that finalizers hold; new ones are refused and old ones can be changed meanwhile', async () => {
    await create('held', 'one', ['hold.me/please']);
    await removeCrd('things');
    await settle();
    const refusal = await create('late', 'one').catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(StatusError);
    expect(refusal).toMatchObject({
      code: 403,
      reason: 'Forbidden',
      message: 'things.ex.io "late" is forbidden: create not allowed while custom resource definition is terminating',
    });
    expect(served('things')?.verbs).toEqual(['delete', 'deletecollection', 'get', 'list', 'watch']);
    expect(stored('things')).toBeDefined();
    await cluster.patch('things', 'held', { metadata: { finalizers: null } }, 'one');
    await settle();
    expect(stored('things')).toBeUndefined();
    expect(served('things')).toBeUndefined();
  });

  it('says that it is done when somebody else holds it', async () => {
    await cluster.patch('customresourcedefinitions', 'things.ex.io', { metadata: { finalizers: ['hold.me/please'] } });
    await create('a', 'one');
    await removeCrd('things');
    await settle();
    const crd = stored('things') as Crd;
    expect(crd.metadata.finalizers).toEqual(['hold.me/please']);
    expect(crdCondition(crd, 'Terminating')).toMatchObject({ status: 'False', reason: 'InstanceDeletionCompleted' });
    await cluster.patch('customresourcedefinitions', 'things.ex.io', { metadata: { finalizers: null } });
    await settle();
    expect(stored('things')).toBeUndefined();
    expect(served('things')).toBeUndefined();
  });

  it('takes instances along of versions that are not served', async () => {
    await create('a', 'one');
    const versions = [{ name: 'v1', served: false, storage: true }];
    await cluster.patch('customresourcedefinitions', 'things.ex.io', { spec: { versions } });
    await removeCrd('things');
    await settle();
    expect(cluster.store.count(bucket)).toBe(0);
    expect(stored('things')).toBeUndefined();
  });

  it('can be followed by another one of the same name', async () => {
    await create('a', 'one');
    await removeCrd('things');
    await settle();
    await define('things', 'Thing');
    await settle();
    expect(served('things')?.verbs).toContain('create');
    expect(cluster.store.count(bucket)).toBe(0);
    await create('a', 'one');
    await removeCrd('things');
    await settle();
    expect(stored('things')).toBeUndefined();
  });
});

describe('a controller that starts', () => {
  it('serves the types of stored definitions at once, and writes nothing', async () => {
    await define('things', 'Thing');
    await settle();
    await halt();
    cluster = await testWorld(cluster.store);
    const { revision } = cluster.store;
    start();
    expect(served('things')?.kind).toBe('Thing');
    await settle();
    expect(cluster.store.revision).toBe(revision);
  });

  it('serves the others when a stored definition cannot be served', async () => {
    await define('things', 'Thing');
    await define('others', 'Other');
    await settle();
    await halt();
    cluster = await testWorld(cluster.store);
    start((crd) => {
      if (crd.spec.names.kind === 'Other') throw new Error('cannot compile');
      return testTypesOfCrd(crd);
    });
    expect(served('things')?.kind).toBe('Thing');
    expect(context.warnings).toHaveLength(1);
  });

  it.each([0, 1, 2, 3, 4, 5, 6])('goes on where one was killed after %i writes', async (writes) => {
    await define('things', 'Thing');
    await settle();
    await define('objects', 'Thing');
    await settle();
    await cluster.create('things', { name: 'a', namespace: 'one' });
    await cluster.create('things', { name: 'b', namespace: 'one' });
    await halt();
    await removeCrd('things');
    const { store } = cluster;
    cluster = await testWorld(dyingStore(store, writes));
    start();
    await settle();
    await halt();
    cluster = await testWorld(store);
    start();
    await settle();
    expect(cluster.keys('customresourcedefinitions')).toEqual(['/objects.ex.io']);
    expect(isEstablished(stored('objects') as Crd)).toBe(true);
    expect(store.count('ex.io/things')).toBe(0);
  });
});
