import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crds } from '@klutch/api';
import type { BackendOptions } from '@klutch/backend';
import type { Tier } from '@klutch/kit';
import { startIssuer } from '@klutch/sandbox';
import { onTestFinished } from 'vitest';
import { runCommand } from '../../packages/cli/src/testing/run-in-process.ts';
import { provide } from '../backend/exports-world.ts';
import { type Launched, launch, untilReady, webFor } from '../backend/process-world.ts';
import { installKinds, openOwnCluster, type TestCluster } from '../konnector/clusters.ts';
import { type SampleApi, sampleApi } from '../konnector/world.ts';

export const user = { name: 'ada', password: 'enchantress' };

/** A provider: a control plane with a backend, and an issuer at which a person and a pipeline can log in. */
export interface Provider {
  readonly tier: Tier;
  readonly controlPlane: TestCluster;
  readonly backend: Launched;
  readonly apis: readonly [SampleApi, SampleApi];
  /** The address that users give to `klutch bind`. */
  readonly url: string;
  /** A folder that goes with the test. */
  readonly folder: string;
  /** Starts the backend again after it was stopped. */
  restart(): Promise<void>;
  /** Makes a bundle as a pipeline does, with these flags besides; fails unless that works. */
  bundle(...flags: readonly string[]): Promise<string>;
  /** Runs `klutch bind <url> --bundle` as a pipeline does. */
  run(...flags: readonly string[]): Promise<{ readonly code: number; readonly out: string; readonly err: string }>;
}

/** Everything ends with the test. */
export async function openProvider(tier: Tier, options: Partial<BackendOptions> = {}): Promise<Provider> {
  const controlPlane = await openOwnCluster(tier);
  onTestFinished(() => controlPlane.close());
  await installKinds(controlPlane, crds);
  const apis = [sampleApi(), sampleApi()] as const;
  for (const api of apis) await provide(controlPlane, api);
  const port = await freePort();
  const baseUrl = `http://127.0.0.1:${port}`;
  const issuer = await startIssuer({
    users: [user],
    clients: [
      { kind: 'web', id: 'klutch', secret: 'client-secret', redirectUris: [`${baseUrl}/callback`] },
      { kind: 'machine', id: 'pipeline', secret: 'machine-secret' },
    ],
  });
  onTestFinished(() => issuer.stop());
  const backend = await launch(controlPlane, {
    offers: apis.map((api) => ({ api })),
    web: webFor(issuer, baseUrl),
    options: { listen: { host: '127.0.0.1', port }, ...options },
  });
  await untilReady(backend);
  const folder = await mkdtemp(join(tmpdir(), 'klutch-bundle-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const credentials = join(folder, 'credentials');
  const lines = [
    'client_id: pipeline',
    'client_secret: machine-secret',
    `token_url: ${issuer.url}/token`,
    'scope: klutch/bind',
  ];
  await writeFile(credentials, lines.join('\n'), { mode: 0o600 });
  const url = `${baseUrl}/export`;
  const run: Provider['run'] = async (...flags) => {
    const machine = ['--non-interactive', '--credentials-file', credentials];
    const chosen = flags.includes('--api') ? [] : ['--api', apis[0].name];
    const command = runCommand(['bind', url, '--bundle', ...machine, ...chosen, ...flags]);
    return { code: await command.ended(), out: command.out(), err: command.err() };
  };
  return {
    tier,
    controlPlane,
    backend,
    apis,
    url,
    folder,
    run,
    restart: async () => untilReady(await launch(controlPlane, { of: backend })),
    bundle: async (...flags) => {
      const { code, out, err } = await run(...flags);
      if (code !== 0) throw new Error(`klutch bind --bundle ended with ${code}: ${err}`);
      return out;
    },
  };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { readonly port: number };
  server.close();
  await once(server, 'close');
  return port;
}
