import { setTimeout as pauseFor } from 'node:timers/promises';
import {
  clusterScopedAPIServiceBindingCrd,
  crds,
  type CustomResourceDefinition,
  CustomResourceDefinitions,
} from '@klutch/api';
import { startApiServer } from '@klutch/apiserver';
import type { Tier } from '@klutch/kit';
import { startPlane } from '@klutch/kit';
import { connect, isKubeError, type KubeClient, Namespaces, parseKubeconfig } from '@klutch/kube';
import { eventually } from '@klutch/kube/testing';

/** Somebody known to a cluster by a client certificate. */
export interface ClusterUser {
  readonly name: string;
  readonly groups?: readonly string[];
}

/** A cluster of a test, on whichever tier. */
export interface TestCluster {
  readonly url: string;
  readonly caCertificate: string;
  /** UID of `kube-system`: the identity of the cluster. */
  readonly id: string;
  /** May do everything. */
  readonly admin: KubeClient;
  /** A kubeconfig as text; of the administrator unless a user is named. */
  kubeconfig(user?: ClusterUser): Promise<string>;
  /** A client of that user; close it. */
  client(user: ClusterUser): Promise<KubeClient>;
  close(): Promise<void>;
}

/** A cluster that nobody else uses, for tests that break it or need it empty. Close it. */
export async function openOwnCluster(tier: Tier): Promise<TestCluster> {
  if (tier === 'embedded') return openEmbedded();
  const plane = await startPlane();
  return clusterOf({
    url: plane.url,
    caCertificate: plane.pki.certificate,
    kubeconfig: async (user) => (user ? await plane.certificateUser(user) : plane.admin).kubeconfig,
    stop: () => plane.stop(),
  });
}

/** A name that no other test uses. */
export function unique(prefix: string): string {
  return `${prefix}-${Math.random().toString(36).slice(2, 8)}`;
}

/** Installs the kinds of a control plane, or others, and waits until they are served. */
export async function installKinds(
  cluster: TestCluster,
  definitions: readonly CustomResourceDefinition[] = crds,
): Promise<void> {
  await Promise.all(definitions.map((crd) => installCrd(cluster.admin, crd)));
}

/** Bindings as released Go components keep them. */
export const releasedBindingKind = clusterScopedAPIServiceBindingCrd;

/** Creates a CRD, or updates it to the given spec, and waits until it is established. */
export async function installCrd(client: KubeClient, crd: CustomResourceDefinition): Promise<void> {
  const definitions = client.resource(CustomResourceDefinitions);
  const name = crd.metadata.name ?? '';
  // Files of a run install the same kinds at the same time on a shared cluster.
  await eventually(
    async () => {
      try {
        await definitions.apply(crd, { fieldManager: 'klutch-test', force: true });
        return true;
      } catch (error) {
        if (isKubeError(error, 'KUBE_CONFLICT') || isKubeError(error, 'KUBE_ALREADY_EXISTS')) return false;
        throw error;
      }
    },
    { withinMs: 30_000, everyMs: 50 },
  );
  await eventually(
    async () =>
      (await definitions.get({ name })).status?.conditions?.some(
        ({ type, status }) => type === 'Established' && status === 'True',
      ),
    { withinMs: 30_000, everyMs: 20 },
  );
}

/** Lets time pass in which nothing must happen: for tests that count writes at rest. */
export async function stayQuiet(milliseconds: number): Promise<void> {
  await pauseFor(milliseconds);
}

/** A server that runs, and how to get into it. */
export interface Started {
  readonly url: string;
  readonly caCertificate: string;
  kubeconfig(user?: ClusterUser): Promise<string>;
  stop(): Promise<void>;
}

/** A server in this process. */
export async function openEmbedded(): Promise<TestCluster> {
  const server = await startApiServer();
  return clusterOf({ ...server, kubeconfig: async (user) => server.kubeconfig(user) });
}

/** The cluster behind a server. */
export async function clusterOf(started: Started): Promise<TestCluster> {
  const client = async (user?: ClusterUser) =>
    connect(parseKubeconfig(await started.kubeconfig(user), { source: 'the test', trust: 'local' }), {
      userAgent: 'klutch-test/1',
    });
  const admin = await client();
  // kube-system appears a moment after the server is ready.
  const system = await eventually(() => admin.resource(Namespaces).find({ name: 'kube-system' }), { withinMs: 30_000 });
  return {
    url: started.url,
    caCertificate: started.caCertificate,
    id: system.metadata.uid ?? '',
    admin,
    kubeconfig: (user) => started.kubeconfig(user),
    client,
    close: async () => {
      await admin.close();
      await started.stop();
    },
  };
}
