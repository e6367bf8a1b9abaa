import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startApiServer } from '@klutch/apiserver';
import { startPlane, type Tier } from '@klutch/kit';
import { clusterOf, type TestCluster } from '../konnector/clusters.ts';

/** A cluster whose API server can be taken away for a moment; nothing that it acknowledged is lost. */
export interface RestartableCluster extends TestCluster {
  restart(): Promise<void>;
}

export async function openRestartable(tier: Tier): Promise<RestartableCluster> {
  return tier === 'embedded' ? await openEmbedded() : await openReal();
}

async function openEmbedded(): Promise<RestartableCluster> {
  const dir = await mkdtemp(join(tmpdir(), 'klutch-convergence-'));
  let server = await startApiServer({ dir });
  const port = Number(new URL(server.url).port);
  const cluster = await clusterOf({
    url: server.url,
    caCertificate: server.caCertificate,
    kubeconfig: async (user) => server.kubeconfig(user),
    stop: async () => {
      await server.stop();
      await rm(dir, { recursive: true, force: true });
    },
  });
  return {
    ...cluster,
    restart: async () => {
      await server.stop();
      server = await startApiServer({ dir, port });
    },
  };
}

async function openReal(): Promise<RestartableCluster> {
  const plane = await startPlane();
  const cluster = await clusterOf({
    url: plane.url,
    caCertificate: plane.pki.certificate,
    kubeconfig: async (user) => (user ? await plane.certificateUser(user) : plane.admin).kubeconfig,
    stop: () => plane.stop(),
  });
  return { ...cluster, restart: () => plane.restartApiServer() };
}
