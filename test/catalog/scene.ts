import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { annotations, crds, CustomResourceDefinitions } from '@klutch/api';
import { startCrossplane, startPlane, type Tier } from '@klutch/kit';
import {
  isKubeError,
  type KubeClient,
  Namespaces,
  type ObjectMeta,
  type ResourceType,
  type UnknownObject,
} from '@klutch/kube';
import { type CompositeResourceDefinition, crdsOf } from '@klutch/xrd';
import { onTestFinished } from 'vitest';
import { Definitions } from '../../packages/cli/src/catalog/object-types.ts';
import { runCommand } from '../../packages/cli/src/testing/run-in-process.ts';
import { scratchFolder } from '../../packages/cli/src/testing/run-klutch.ts';
import { clusterOf, installCrd, openEmbedded, openOwnCluster, type TestCluster } from '../konnector/clusters.ts';
import { composedKind } from '../crossplane/composed-crds.ts';

/** A control plane with Crossplane on the real tier, and with what stands in for it on the embedded one. */
export interface CatalogScene {
  readonly cluster: TestCluster;
  readonly admin: KubeClient;
  readonly kubeconfig: string;
  /** Runs `klutch catalog …` against it. */
  catalog(...args: readonly string[]): Promise<{ readonly code: number; readonly out: string; readonly err: string }>;
}

/** Ends with the test. */
export async function openCatalogScene(tier: Tier): Promise<CatalogScene> {
  return await sceneOn(tier === 'embedded' ? await openEmbeddedPlane() : await openRealPlane());
}

/** The same on a control plane where nothing composes. Ends with the test. */
export async function openPlainScene(tier: Tier): Promise<CatalogScene> {
  return await sceneOn(await openOwnCluster(tier));
}

async function sceneOn(cluster: TestCluster): Promise<CatalogScene> {
  onTestFinished(() => cluster.close());
  for (const crd of [...crds, ...composedKinds]) await installCrd(cluster.admin, crd);
  const kubeconfig = join(await scratchFolder(), 'config');
  await writeFile(kubeconfig, await cluster.kubeconfig(), { mode: 0o600 });
  return {
    cluster,
    admin: cluster.admin,
    kubeconfig,
    catalog: async (...args) => {
      const run = runCommand(['catalog', ...args, '--kubeconfig', kubeconfig]);
      return { code: await run.ended(), out: run.out(), err: run.err() };
    },
  };
}

async function openRealPlane(): Promise<TestCluster> {
  const plane = await startPlane();
  await startCrossplane({ plane });
  return clusterOf({
    url: plane.url,
    caCertificate: plane.pki.certificate,
    kubeconfig: async (user) => (user ? await plane.certificateUser(user) : plane.admin).kubeconfig,
    stop: () => plane.stop(),
  });
}

async function openEmbeddedPlane(): Promise<TestCluster> {
  const cluster = await openEmbedded();
  await installCrd(cluster.admin, composedKind('apiextensions.crossplane.io', 'v1', 'CompositeResourceDefinition'));
  await installCrd(cluster.admin, composedKind('apiextensions.crossplane.io', 'v1', 'Composition'));
  const ending = new AbortController();
  const following = followDefinitions(cluster.admin, ending.signal);
  return {
    ...cluster,
    close: async () => {
      ending.abort();
      await following;
      await cluster.close();
    },
  };
}

/** Makes CRDs of definitions, as Crossplane does, and nothing else: no claim is composed. */
async function followDefinitions(admin: KubeClient, signal: AbortSignal): Promise<void> {
  const { metadata } = await admin.resource(Definitions).list();
  try {
    for await (const event of admin
      .resource(Definitions)
      .watch({ resourceVersion: metadata.resourceVersion, signal })) {
      if (event.type === 'ADDED' || event.type === 'MODIFIED') await establish(admin, event.object);
    }
  } catch (error) {
    if (!isKubeError(error, 'KUBE_ABORTED')) throw error;
  }
}

async function establish(admin: KubeClient, definition: UnknownObject): Promise<void> {
  const { claim, composite } = crdsOf(definition as object as CompositeResourceDefinition);
  for (const crd of claim ? [claim, composite] : [composite]) {
    await admin.resource(CustomResourceDefinitions).apply(crd, { fieldManager: 'stand-in', force: true });
  }
  if (definition['status'] !== undefined) return;
  const conditions = ['Established', 'Offered'].map((type) => ({ type, status: 'True' }));
  const patch = { status: { conditions } };
  await admin
    .resource(Definitions)
    .patch({ name: definition.metadata.name ?? '' }, { type: 'merge', patch }, { subresource: 'status' });
}

/** What the catalogue composes, and how providers are configured. */
const composedKinds = [
  composedKind('kubernetes.crossplane.io', 'v1alpha2', 'Object'),
  composedKind('kubernetes.crossplane.io', 'v1alpha1', 'ProviderConfig'),
  composedKind('dataservices.anynines.com', 'v1', 'ServiceInstance'),
  composedKind('dataservices.anynines.com', 'v1', 'ServiceBinding'),
  composedKind('dataservices.anynines.com', 'v1', 'ProviderConfig'),
];

/** A type of claim of the catalogue. */
export function claimType(kind: string): ResourceType {
  return { group: 'anynines.com', version: 'v1', plural: `${kind.toLowerCase()}s`, kind, namespaced: true };
}

/** Writes the files of an operator's folder, by their paths, and says where it is. */
export async function writeFolder(files: Readonly<Record<string, string>>): Promise<string> {
  const folder = await scratchFolder();
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
  return folder;
}

/** A tenant with one app cluster and one namespace in it; the name of its namespace on the control plane. */
export async function addTenant(admin: KubeClient, name: string): Promise<string> {
  const [cluster, service] = [`cluster-${name}`, `cluster-${name}-default`];
  const namespaces: readonly ObjectMeta[] = [
    {
      name: cluster,
      annotations: { [annotations.tenantIdentity]: `["group","i","${name}"]`, [annotations.tenantName]: name },
    },
    { name: service, annotations: { [annotations.apiServiceNamespace]: `${cluster}/default` } },
  ];
  for (const metadata of namespaces) {
    await admin.resource(Namespaces).create({ apiVersion: 'v1', kind: 'Namespace', metadata });
  }
  return service;
}
