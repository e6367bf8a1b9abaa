import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startApiServer } from '@klutch/apiserver';
import { startPlane, type StartPlaneOptions, type Tier } from '@klutch/kit';
import { clusterOf, type TestCluster } from '../konnector/clusters.ts';

/** A cluster that can be set back to an earlier state of its storage, as a restored backup does. */
export interface RewindableCluster extends TestCluster {
  /** A copy of everything that is stored now. */
  backup(): Promise<Backup>;
  /** Stops and starts the API server; nothing is lost. */
  restart(): Promise<void>;
  /** Goes back to a backup; one of another cluster of the same tier makes this one its twin, identity included. */
  restore(backup: Backup): Promise<void>;
  /** Watches that clients hold open; on the embedded tier only. */
  watches(): number;
  /** The audit log; on the real tier, when asked for. */
  readonly auditLog: string | undefined;
}

/** Folder of a backup. */
export type Backup = string;

export async function openRewindable(tier: Tier, options: StartPlaneOptions = {}): Promise<RewindableCluster> {
  return tier === 'embedded' ? await openEmbedded() : await openReal(options);
}

async function openEmbedded(): Promise<RewindableCluster> {
  const dir = await mkdtemp(join(tmpdir(), 'klutch-rewindable-'));
  const objects = join(dir, 'objects');
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
  const whileStopped = async (work: () => Promise<void>) => {
    await server.stop();
    await work();
    server = await startApiServer({ dir, port });
  };
  return {
    ...cluster,
    backup: async () => {
      const backup = await mkdtemp(join(dir, 'backup-'));
      await whileStopped(() => cp(objects, backup, { recursive: true }));
      return backup;
    },
    restart: () => whileStopped(async () => {}),
    restore: (backup) =>
      whileStopped(async () => {
        await rm(objects, { recursive: true });
        await cp(backup, objects, { recursive: true });
      }),
    watches: () => server.usage().watches,
    auditLog: undefined,
  };
}

async function openReal(options: StartPlaneOptions): Promise<RewindableCluster> {
  const plane = await startPlane(options);
  const cluster = await clusterOf({
    url: plane.url,
    caCertificate: plane.pki.certificate,
    kubeconfig: async (user) => (user ? await plane.certificateUser(user) : plane.admin).kubeconfig,
    stop: () => plane.stop(),
  });
  return {
    ...cluster,
    backup: () => plane.backup(),
    restart: () => plane.restartApiServer(),
    restore: (backup) => plane.restore(backup),
    watches: () => Number.NaN,
    auditLog: plane.auditLog,
  };
}
