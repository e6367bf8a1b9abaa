import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Running, runKlutch, scratchFolder } from '../../packages/cli/src/testing/run-klutch.ts';
import { account, type Offered } from '../backend/process-world.ts';
import type { ScriptedIssuer } from '../backend/scripted-issuer.ts';
import { baseUrl } from '../backend/web-world.ts';
import type { TestCluster } from '../konnector/world.ts';

/** Replicas of one backend, each a process of its own, with exactly the generated rights. */
export interface Replicas {
  /** Port of the replica whose turn it is; undefined while there is none. */
  port(): number | undefined;
  /** Starts one more, and waits until it answers. */
  start(): Promise<void>;
  /** Ends the oldest as a crash would: it finishes nothing. */
  kill(): Promise<void>;
}

export interface ReplicasOptions {
  readonly issuer: ScriptedIssuer;
  readonly offers: readonly Offered[];
  readonly args?: readonly string[];
}

export async function openReplicas(plane: TestCluster, options: ReplicasOptions): Promise<Replicas> {
  const { user, namespace, tenantRole } = await account(plane, { offers: options.offers });
  const folder = await scratchFolder();
  const [kubeconfig, ca] = [join(folder, 'kubeconfig'), join(folder, 'ca.pem')];
  await writeFile(kubeconfig, await plane.kubeconfig({ name: user }), { mode: 0o600 });
  await writeFile(ca, plane.caCertificate);
  const args = [
    `--kubeconfig=${kubeconfig}`,
    `--namespace=${namespace}`,
    `--tenant-role=${tenantRole}`,
    `--external-address=${plane.url}`,
    `--external-ca-file=${ca}`,
    `--external-url=${baseUrl}`,
    `--oidc-issuer-url=${options.issuer.url}`,
    '--oidc-issuer-client-id=klutch',
    '--allow-all-users',
    '--machine-clients=pipeline=acme',
    '--listen-address=127.0.0.1:0',
    '--operations-address=127.0.0.1:0',
    ...(options.args ?? []),
  ];
  const secrets = { OIDC_CLIENT_SECRET: 'client-secret', COOKIE_SIGNING_KEY: randomBytes(32).toString('base64') };
  const running: { readonly process: Running; readonly port: number }[] = [];
  let turn = 0;

  return {
    port: () => running[turn++ % running.length]?.port,
    start: async () => {
      const process = runKlutch(['backend', ...args], secrets);
      await process.says('"msg":"backend ready"');
      const url = /"url":"([^"]+)","msg":"backend ready"/.exec(process.err())?.[1] ?? '';
      running.push({ process, port: Number(new URL(url).port) });
    },
    kill: async () => {
      const victim = running.shift()?.process;
      victim?.process.kill('SIGKILL');
      await victim?.ended();
    },
  };
}
