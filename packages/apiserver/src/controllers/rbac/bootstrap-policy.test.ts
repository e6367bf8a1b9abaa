import { beforeEach, describe, expect, it } from 'vitest';
import { BOOTSTRAP_POLICY, type PolicyRule } from '../../authz/index.ts';
import { testWorld, type TestWorld } from '../testing/test-world.ts';
import { ensureBootstrapPolicy } from './bootstrap-policy.ts';

let cluster: TestWorld;

beforeEach(async () => {
  cluster = await testWorld();
  await ensureBootstrapPolicy(cluster.world);
});

const keysOf = (objects: readonly { readonly metadata: { readonly name?: string } }[]) =>
  objects.map(({ metadata }) => `/${metadata.name}`).sort();

describe('the policy that every cluster has', () => {
  it('is written by the server', () => {
    expect(cluster.keys('clusterroles')).toEqual(keysOf(BOOTSTRAP_POLICY.clusterRoles));
    expect(cluster.keys('clusterrolebindings')).toEqual(keysOf(BOOTSTRAP_POLICY.clusterRoleBindings));
    const managers = cluster.read('clusterroles', 'system:discovery')?.metadata.managedFields;
    expect(managers).toMatchObject([{ manager: 'kube-apiserver', operation: 'Update' }]);
  });

  it('is written once', async () => {
    const { revision } = cluster.store;
    await ensureBootstrapPolicy(cluster.world);
    expect(cluster.store.revision).toBe(revision);
  });

  it('gets back what it lacks, and keeps what was added', async () => {
    const extra = { verbs: ['get'], nonResourceURLs: ['/extra'] };
    await cluster.patch('clusterroles', 'system:discovery', { rules: [extra] });
    await cluster.remove('clusterroles', 'cluster-admin');
    await ensureBootstrapPolicy(cluster.world);
    const pathsOf = (rules: unknown) => (rules as PolicyRule[]).flatMap(({ nonResourceURLs = [] }) => nonResourceURLs);
    const policy = BOOTSTRAP_POLICY.clusterRoles.find(({ metadata }) => metadata.name === 'system:discovery');
    expect(pathsOf(cluster.read('clusterroles', 'system:discovery')?.['rules'])).toEqual([
      '/extra',
      ...pathsOf(policy?.rules),
    ]);
    expect(cluster.read('clusterroles', 'cluster-admin')).toBeDefined();
  });

  it('has a binding made anew that leads to another role', async () => {
    const before = cluster.read('clusterrolebindings', 'cluster-admin');
    await cluster.patch('clusterrolebindings', 'cluster-admin', { roleRef: { name: 'view' } });
    await ensureBootstrapPolicy(cluster.world);
    const after = cluster.read('clusterrolebindings', 'cluster-admin');
    expect(after?.['roleRef']).toEqual(before?.['roleRef']);
    expect(after?.metadata.uid).not.toBe(before?.metadata.uid);
  });
});
