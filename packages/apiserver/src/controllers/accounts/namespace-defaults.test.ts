import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { RunningController } from '../context.ts';
import { dyingStore, testWorld, type TestWorld } from '../testing/test-world.ts';
import { startNamespaceDefaults } from './namespace-defaults.ts';

const CA = 'root-ca-in-pem';

let cluster: TestWorld;
let stop: AbortController;
let controller: RunningController;

const start = (certificate = CA) => {
  stop = new AbortController();
  controller = startNamespaceDefaults(cluster.context(stop.signal), certificate);
};

const halt = async () => {
  stop.abort();
  await controller.loop.stop();
};

const settle = () => controller.loop.idle();
const rootCa = (namespace = 'one') => cluster.read('configmaps', 'kube-root-ca.crt', namespace);
const account = (namespace = 'one') => cluster.read('serviceaccounts', 'default', namespace);

beforeEach(async () => {
  cluster = await testWorld();
  await cluster.create('namespaces', { name: 'one' });
  start();
  await settle();
});

afterEach(halt);

describe('a namespace', () => {
  it('has its service account and the certificate authority, whether it was there before or comes later', async () => {
    await cluster.create('namespaces', { name: 'two' });
    await settle();
    for (const namespace of ['one', 'two']) {
      expect(account(namespace)).toBeDefined();
      expect(rootCa(namespace)?.['data']).toEqual({ 'ca.crt': CA });
    }
    expect(rootCa()?.metadata.managedFields).toMatchObject([
      { manager: 'kube-controller-manager', operation: 'Update' },
    ]);
  });

  it('gets them back when they are deleted', async () => {
    const uid = account()?.metadata.uid;
    await cluster.remove('serviceaccounts', 'default', 'one');
    await cluster.remove('configmaps', 'kube-root-ca.crt', 'one');
    await settle();
    expect(account()?.metadata.uid).not.toBe(uid);
    expect(rootCa()).toBeDefined();
  });

  it('has the certificate authority restored when somebody changes it', async () => {
    await cluster.patch('configmaps', 'kube-root-ca.crt', { data: { 'ca.crt': 'forged', more: 'x' } }, 'one');
    await settle();
    expect(rootCa()?.['data']).toEqual({ 'ca.crt': CA });
  });

  it('has the new certificate authority after a restart with another one', async () => {
    await halt();
    start('another');
    await settle();
    expect(rootCa()?.['data']).toEqual({ 'ca.crt': 'another' });
  });

  it('gets nothing while it is being deleted', async () => {
    await cluster.remove('namespaces', 'one');
    await cluster.remove('serviceaccounts', 'default', 'one');
    await cluster.remove('configmaps', 'kube-root-ca.crt', 'one');
    await settle();
    expect(account()).toBeUndefined();
    expect(rootCa()).toBeUndefined();
  });

  it('is not written to while all is well', async () => {
    const { revision } = cluster.store;
    await halt();
    start();
    await settle();
    await cluster.patch('namespaces', 'one', { metadata: { labels: { a: 'b' } } });
    await cluster.patch('serviceaccounts', 'default', { metadata: { labels: { a: 'b' } } }, 'one');
    await settle();
    expect(cluster.store.revision).toBe(revision + 2);
  });

  it.each([0, 1])('has both after a restart when the controller was killed after %i writes', async (writes) => {
    await halt();
    await cluster.create('namespaces', { name: 'two' });
    const { store } = cluster;
    cluster = await testWorld(dyingStore(store, writes));
    start();
    await settle();
    await halt();
    cluster = await testWorld(store);
    start();
    await settle();
    expect([account('two'), rootCa('two')]).not.toContain(undefined);
  });
});
