import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startApiServer } from '@klutch/apiserver';
import type { Tier } from '@klutch/kit';
import { sharedPlane } from '@klutch/kit/vitest';
import { inject } from 'vitest';
import type { Address } from './client.ts';

/** Somebody who is known by a client certificate. */
export interface CertificateUser {
  readonly name: string;
  readonly groups?: readonly string[];
}

/** A server that runs, whoever started it. */
export interface RunningTarget extends Address {
  /** A kubeconfig with a client certificate, as text. */
  kubeconfig(user: CertificateUser): Promise<string>;
  stop(): Promise<void>;
}

/** One of the API servers that must give the same answers. */
export interface Target {
  readonly name: 'kube-apiserver' | 'embedded';
  readonly tier: Tier;
  /** Why the target takes no part in this run. */
  readonly missing?: string;
  start(): Promise<RunningTarget>;
}

/** The targets of the suite, and whether they take part in this run. Call it while tests are collected. */
export function targets(): readonly Target[] {
  const { real } = inject('klutchKit');
  return [
    {
      name: 'kube-apiserver',
      tier: 'real',
      missing: real.available ? undefined : real.reason,
      start: startReal,
    },
    { name: 'embedded', tier: 'embedded', start: startEmbedded },
  ];
}

/** One plane serves all files of the run; it ends with the run. */
async function startReal(): Promise<RunningTarget> {
  const plane = await sharedPlane();
  return {
    url: plane.url,
    caCertificate: plane.pki.certificate,
    kubeconfig: async (user) => (await plane.certificateUser(user)).kubeconfig,
    stop: async () => undefined,
  };
}

/** Each area has a server of its own, which costs less than sharing one between processes. */
async function startEmbedded(): Promise<RunningTarget> {
  const dir = await mkdtemp(join(tmpdir(), 'klutch-conformance-'));
  const { url, caCertificate, kubeconfig, stop } = await startApiServer({ dir });
  return {
    url,
    caCertificate,
    kubeconfig: async (user) => kubeconfig(user),
    stop: async () => {
      await stop();
      await rm(dir, { recursive: true, force: true });
    },
  };
}
