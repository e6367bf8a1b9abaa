import { getEventListeners } from 'node:events';
import { afterEach, describe, expect, it } from 'vitest';
import { BOOTSTRAP_POLICY } from '../authz/index.ts';
import { type Crd, isEstablished } from '../crd/crd.ts';
import type { Store } from '../storage/types.ts';
import { type Controllers, startControllers } from './start-controllers.ts';
import { testCrd, testTypesOfCrd } from './testing/test-types.ts';
import { dyingStore, testWorld, type TestWorld } from './testing/test-world.ts';

let stops: AbortController[] = [];

function run({ world }: TestWorld): { controllers: Controllers; stop: () => Promise<void> } {
  const stopping = new AbortController();
  stops.push(stopping);
  const controllers = startControllers({
    world,
    caCertificate: 'CA',
    issueToken: async ({ metadata }) => `token of ${metadata.name}`,
    typesOfCrd: testTypesOfCrd,
    signal: stopping.signal,
  });
  const stop = async () => {
    stopping.abort();
    await controllers.stopped;
  };
  return { controllers, stop };
}

afterEach(() => {
  for (const stopping of stops) stopping.abort();
  stops = [];
});

/** Everything that is stored, without what differs from run to run. */
function contents(store: Store, cluster: TestWorld): string[] {
  return cluster.world.registry.all().flatMap(({ bucket }) =>
    store.scan(bucket).map((entry) => {
      const { metadata, ...rest } = entry.object();
      const { name, namespace, labels, annotations = {}, finalizers } = metadata;
      const kept = Object.fromEntries(Object.entries(annotations).filter(([key]) => !key.endsWith('.uid')));
      const text = JSON.stringify({ ...rest, metadata: { name, namespace, labels, annotations: kept, finalizers } });
      return text.replaceAll(/"(lastTransitionTime|uid)":"[^"]*"/g, '"$1":""');
    }),
  );
}

/** What users do to a cluster with controllers. */
async function use(cluster: TestWorld): Promise<void> {
  const crd = testCrd('ex.io', { plural: 'things', kind: 'Thing' });
  await cluster.create('namespaces', { name: 'kept' });
  await cluster.create('namespaces', { name: 'doomed' });
  await cluster.create('customresourcedefinitions', crd.metadata, { spec: crd.spec });
  const other = testCrd('ex.io', { plural: 'objects', kind: 'Object' });
  await cluster.create('customresourcedefinitions', other.metadata, { spec: other.spec });
  const annotations = { 'kubernetes.io/service-account.name': 'default' };
  await cluster.create('serviceaccounts', { name: 'default', namespace: 'kept' }).catch(() => undefined);
  await cluster.create(
    'secrets',
    { name: 'token', namespace: 'kept', annotations },
    { type: 'kubernetes.io/service-account-token' },
  );
  const owner = await cluster.create('configmaps', { name: 'owner', namespace: 'kept' });
  const ownerReferences = [
    { apiVersion: 'v1', kind: 'ConfigMap', name: 'owner', uid: owner.metadata.uid ?? '', blockOwnerDeletion: true },
  ];
  await cluster.create('configmaps', { name: 'child', namespace: 'kept', ownerReferences });
  await cluster.create('secrets', { name: 'child', namespace: 'kept', ownerReferences });
  await cluster.create('configmaps', { name: 'lost', namespace: 'doomed' });
  const aggregationRule = { clusterRoleSelectors: [{ matchLabels: { collect: 'true' } }] };
  await cluster.create('clusterroles', { name: 'collecting' }, { aggregationRule });
  await cluster.create(
    'clusterroles',
    { name: 'collected', labels: { collect: 'true' } },
    { rules: [{ verbs: ['get'] }] },
  );
  await cluster.remove('configmaps', 'owner', 'kept', { propagation: 'Foreground' });
  await cluster.remove('namespaces', 'doomed');
  await cluster.remove('customresourcedefinitions', 'things.ex.io');
}

describe('controllers that start', () => {
  it('make a new cluster usable', async () => {
    const cluster = await testWorld();
    const { controllers, stop } = run(cluster);
    await controllers.ready;
    expect(cluster.keys('namespaces')).toEqual(['/default', '/kube-node-lease', '/kube-public', '/kube-system']);
    for (const namespace of ['default', 'kube-system']) {
      expect(cluster.read('serviceaccounts', 'default', namespace)).toBeDefined();
      expect(cluster.read('configmaps', 'kube-root-ca.crt', namespace)).toBeDefined();
    }
    expect(cluster.keys('clusterroles')).toHaveLength(BOOTSTRAP_POLICY.clusterRoles.length);
    const collected = cluster.read('clusterroles', 'edit')?.['rules'] as readonly object[];
    expect(collected.length).toBeGreaterThan(10);
    await stop();
  });

  it('serve the types of stored definitions when they return', async () => {
    const before = await testWorld();
    const first = run(before);
    const crd = testCrd('ex.io', { plural: 'things', kind: 'Thing' });
    await before.create('customresourcedefinitions', crd.metadata, { spec: crd.spec });
    await first.controllers.idle();
    await first.stop();
    const after = await testWorld(before.store);
    const second = run(after);
    expect(after.world.registry.find('ex.io', 'v1', 'things')?.kind).toBe('Thing');
    await second.controllers.ready;
    await second.stop();
  });

  it('write nothing, and do nothing, when all is as it should be', async () => {
    const cluster = await testWorld();
    const first = run(cluster);
    await first.controllers.ready;
    await use(cluster);
    await first.controllers.idle();
    const { revision } = cluster.store;
    await first.stop();
    const again = await testWorld(cluster.store);
    const second = run(again);
    await second.controllers.ready;
    await second.controllers.idle();
    expect(cluster.store.revision).toBe(revision);
    await second.stop();
  });

  it('fail when the store takes no writes', async () => {
    const { store } = await testWorld();
    const { controllers, stop } = run(await testWorld(dyingStore(store, 3)));
    await expect(controllers.ready).rejects.toThrow('killed');
    await stop();
  });
});

describe('controllers that stop', () => {
  it('leave the store alone from then on', async () => {
    const cluster = await testWorld();
    const { controllers, stop } = run(cluster);
    await controllers.ready;
    await stop();
    const { revision } = cluster.store;
    await cluster.create('namespaces', { name: 'late' });
    await new Promise((resolve) => setImmediate(resolve));
    expect(cluster.store.revision).toBe(revision + 1);
  });

  it('are one listener of their signal, and none when they have stopped', async () => {
    const { world } = await testWorld();
    const stopping = new AbortController();
    const { signal } = stopping;
    const controllers = startControllers({ world, caCertificate: 'CA', typesOfCrd: testTypesOfCrd, signal });
    await controllers.ready;
    expect(getEventListeners(signal, 'abort')).toHaveLength(1);
    stopping.abort();
    await controllers.stopped;
    expect(getEventListeners(signal, 'abort')).toHaveLength(0);
  });

  it('have stopped at once when the signal came before', async () => {
    const cluster = await testWorld();
    const signal = AbortSignal.abort();
    const controllers = startControllers({
      world: cluster.world,
      caCertificate: 'CA',
      typesOfCrd: testTypesOfCrd,
      signal,
    });
    await controllers.stopped;
    expect(cluster.keys('serviceaccounts')).toEqual([]);
  });
});

describe('controllers that are killed', () => {
  it('leave nothing behind that those after them do not finish, whichever write was the last', async () => {
    const undisturbed = await testWorld();
    const reference = run(undisturbed);
    await reference.controllers.ready;
    await use(undisturbed);
    await reference.controllers.idle();
    const expected = contents(undisturbed.store, undisturbed);
    await reference.stop();
    expect(expected.join('\n')).not.toContain('doomed');

    for (let writes = 0; writes < 24; writes += 1) {
      const cluster = await testWorld();
      const first = run(cluster);
      await first.controllers.ready;
      await first.stop();
      await use(cluster);
      const doomed = run(await testWorld(dyingStore(cluster.store, writes)));
      await doomed.controllers.ready.catch(() => undefined);
      await doomed.controllers.idle();
      await doomed.stop();
      const next = await testWorld(cluster.store);
      const last = run(next);
      await last.controllers.ready;
      await last.controllers.idle();
      expect(contents(cluster.store, next), `killed after ${writes} writes`).toEqual(expected);
      expect(isEstablished(next.read('customresourcedefinitions', 'objects.ex.io') as Crd)).toBe(true);
      await last.stop();
    }
  });
});
