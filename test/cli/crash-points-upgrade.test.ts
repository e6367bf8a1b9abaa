import {
  type APIServiceBinding,
  APIServiceBindings,
  appCluster as names,
  bindingOwnerReference,
  ClusterScopedAPIServiceBindings,
  CustomResourceDefinitions,
} from '@klutch/api';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Tier } from '@klutch/kit';
import { describeReal } from '@klutch/kit/vitest';
import { ConfigMaps, Namespaces } from '@klutch/kube';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { packageVersion } from '../../packages/cli/src/package-version.ts';
import { runCommand } from '../../packages/cli/src/testing/run-in-process.ts';
import { scratchFolder } from '../../packages/cli/src/testing/run-klutch.ts';
import { installCrd, openOwnCluster, releasedBindingKind, sampleApi, widget } from '../konnector/world.ts';
import { buildKillableKlutch, type Fate, type KillableKlutch, throughCrashPoints } from './crash-points.ts';
import { Deployments, goKonnector, konnectorRef, konnectorRepository } from './go-konnector.ts';

const NetworkPolicies = {
  group: 'networking.k8s.io',
  version: 'v1',
  plural: 'networkpolicies',
  kind: 'NetworkPolicy',
  namespaced: true,
};

let command: KillableKlutch;
beforeAll(async () => {
  command = await buildKillableKlutch();
});
afterAll(() => command.remove());

/** An app cluster as Go Klutch 1.5 left it: a cluster-scoped binding that owns the CRD of an API, an object of that API, a konnector. */
async function openReleasedCluster(tier: Tier) {
  const cluster = await openOwnCluster(tier);
  const { admin } = cluster;
  await installCrd(admin, releasedBindingKind);
  await admin.resource(Namespaces).create({
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name: names.namespace },
  });
  const api = sampleApi();
  const binding: APIServiceBinding = {
    apiVersion: 'klutch.anynines.com/v1alpha1',
    kind: 'APIServiceBinding',
    metadata: { name: api.name, annotations: { note: 'mine' } },
    spec: { kubeconfigSecretRef: { name: 'kubeconfig-test', namespace: names.namespace, key: 'kubeconfig' } },
  };
  const owner = bindingOwnerReference(await admin.resource(ClusterScopedAPIServiceBindings).create(binding));
  await installCrd(admin, { ...api.crd, metadata: { ...api.crd.metadata, ownerReferences: [owner] } });
  const object = await admin.resource(api.type).create(widget(api, 'w', 'default', { size: 1 }));
  await admin.resource(Deployments).create(goKonnector);
  const kubeconfig = join(await scratchFolder(), 'config');
  await writeFile(kubeconfig, await cluster.kubeconfig(), { mode: 0o600 });
  return { cluster, api, object, kubeconfig };
}

/** Kills an upgrade, upgrades again, and checks that the app cluster is as if nothing had happened. */
async function upgradeKilledAt(n: number, tier: Tier): Promise<Fate> {
  const { cluster, api, object, kubeconfig } = await openReleasedCluster(tier);
  const { admin } = cluster;
  try {
    const fate = await command.runUntilRequest(n, ['upgrade', '--kubeconfig', kubeconfig]);
    const status = runCommand(['status', '-o', 'json', '--kubeconfig', kubeconfig]);
    expect(await status.ended(), status.err()).toBe(0);
    expect(status.out(), 'klutch status does not show what an upgrade has left').toContain(api.name);

    const again = runCommand(['upgrade', '--kubeconfig', kubeconfig]);

    expect(await again.ended(), again.err()).toBe(0);
    const binding = await admin.resource(APIServiceBindings).get({ namespace: names.namespace, name: api.name });
    expect(binding).toMatchObject({
      metadata: { annotations: { note: 'mine' } },
      spec: { kubeconfigSecretRef: { name: 'kubeconfig-test' } },
    });
    const crd = await admin.resource(CustomResourceDefinitions).get({ name: api.name });
    expect(crd.metadata.ownerReferences).toEqual([expect.objectContaining({ uid: binding.metadata.uid })]);
    const found = await admin.resource(api.type).get({ namespace: 'default', name: 'w' });
    expect(found.metadata.uid).toBe(object.metadata.uid);
    expect(await admin.resource(Deployments).get(konnectorRef)).toMatchObject({
      spec: {
        replicas: 2,
        template: {
          spec: { containers: [{ name: 'konnector', image: `${konnectorRepository}:v${await packageVersion()}` }] },
        },
      },
    });
    expect(await admin.resource(NetworkPolicies).find(konnectorRef)).toBeDefined();
    const noted = { namespace: names.namespace, name: 'klutch-upgrade' };
    expect(await admin.resource(ConfigMaps).find(noted)).toBeUndefined();
    return fate;
  } catch (error) {
    throw new Error(`Killed before request ${n}: ${error instanceof Error ? error.message : String(error)}`, {
      cause: error,
    });
  } finally {
    await cluster.close();
  }
}

describe('klutch upgrade that is killed (embedded)', () => {
  it('CLI-35 is finished by the next run, whichever request it was killed at, and nothing is lost', async () => {
    expect(await throughCrashPoints('all', (n) => upgradeKilledAt(n, 'embedded'))).toBeGreaterThan(30);
  }, 600_000);
});

describeReal('klutch upgrade that is killed (real)', () => {
  it('CLI-35 is finished by the next run, whichever request it was killed at, and nothing is lost', async () => {
    expect(await throughCrashPoints('spread', (n) => upgradeKilledAt(n, 'real'))).toBeGreaterThan(30);
  }, 600_000);
});
