import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, isKubeError, type KubeClient, loadKubeconfig, Namespaces, Secrets } from '@klutch/kube';
import { eventually } from '@klutch/kube/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import { findRunning } from '../control/running.ts';
import { type Greeting, Greetings } from '../sample/greeting.ts';
import { contexts } from '../state/kubeconfig-file.ts';
import { layoutOf } from '../state/state.ts';
import type { SandboxInfo } from './options.ts';
import { startSandbox } from './start-sandbox.ts';

/** Not of those that the system hands out, so that nobody takes them between two starts. */
function quietPorts() {
  const first = 20_000 + 4 * Math.floor(Math.random() * 2_500);
  return { controlPlane: first, appCluster: first + 1, issuer: first + 2, backend: first + 3 };
}

async function scratchFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'klutch-sandbox-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** A sandbox that ends with the test at the latest. */
async function up(dir: string) {
  const stop = new AbortController();
  const said: string[] = [];
  const sandbox = startSandbox(
    { dir, version: '2.0.0', ports: quietPorts() },
    { signal: stop.signal, onProgress: (text) => said.push(text) },
  );
  const down = async () => {
    stop.abort();
    await sandbox.stopped;
  };
  onTestFinished(() => down().catch(() => undefined));
  return { info: await sandbox.ready, sandbox, said, down };
}

async function client({ kubeconfig }: SandboxInfo, context: string): Promise<KubeClient> {
  const made = connect(await loadKubeconfig({ path: kubeconfig, context }), { userAgent: 'test' });
  onTestFinished(() => made.close());
  return made;
}

const greeting = (namespace: string): Greeting => ({
  apiVersion: 'sandbox.klutch.io/v1',
  kind: 'Greeting',
  metadata: { namespace, name: 'ada' },
  spec: { to: 'Ada' },
});

describe('a sandbox', { timeout: 240_000 }, () => {
  it('offers the sample API, which its provider serves', async () => {
    const { info } = await up(await scratchFolder());
    const answer = await fetch(info.provider);
    expect(await answer.json()).toMatchObject({ kind: 'BindingProvider', providerPrettyName: 'Klutch sandbox' });

    const controlPlane = await client(info, contexts.controlPlane);
    await controlPlane.resource(Greetings).create(greeting('default'));
    const served = await eventually(
      async () => {
        const { status } = await controlPlane.resource(Greetings).get({ namespace: 'default', name: 'ada' });
        return status?.secretName ? status : undefined;
      },
      { withinMs: 60_000 },
    );
    expect(served).toMatchObject({ greeting: 'Hello, Ada!', conditions: [{ type: 'Ready', status: 'True' }] });
    const secret = await controlPlane.resource(Secrets).get({ namespace: 'default', name: served.secretName ?? '' });
    expect(Buffer.from(secret.data?.['passphrase'] ?? '', 'base64').toString()).toMatch(/^[\w-]{16}$/);
  });

  it('has two clusters that know nothing of each other', async () => {
    const { info } = await up(await scratchFolder());
    const app = await client(info, contexts.app);
    const controlPlane = await client(info, contexts.controlPlane);
    const id = async (cluster: KubeClient) =>
      (await cluster.resource(Namespaces).get({ name: 'kube-system' })).metadata.uid;
    expect(await id(app)).not.toBe(await id(controlPlane));
    const refused = await app
      .resource(Greetings)
      .create(greeting('default'))
      .catch((error: unknown) => error);
    expect(isKubeError(refused, 'KUBE_NOT_FOUND')).toBe(true);
  });

  it('is the same after a restart: objects, addresses, password', async () => {
    const dir = await scratchFolder();
    const first = await up(dir);
    const before = await client(first.info, contexts.app);
    await before.resource(Namespaces).create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'survivor' } });
    const kubeconfig = await readFile(first.info.kubeconfig, 'utf8');
    await first.down();
    expect(await findRunning(layoutOf(dir))).toBeUndefined();

    const second = await up(dir);
    expect(second.info).toEqual(first.info);
    const after = await client(second.info, contexts.app);
    expect((await after.resource(Namespaces).get({ name: 'survivor' })).metadata.name).toBe('survivor');
    // The file of before still works, although certificates are issued anew.
    expect(kubeconfig).toContain(second.info.appCluster);
  });

  it('moves away from a port that somebody has taken meanwhile, and says so', async () => {
    const dir = await scratchFolder();
    const first = await up(dir);
    await first.down();
    const taken = Number(new URL(first.info.issuer).port);
    const holder = createServer().listen(taken, '127.0.0.1');
    await once(holder, 'listening');
    onTestFinished(() => void holder.close());

    const second = await up(dir);
    expect(second.info.issuer).not.toBe(first.info.issuer);
    expect(second.info.appCluster).toBe(first.info.appCluster);
    expect(second.said).toContainEqual(
      expect.stringMatching(`Port ${taken} of the issuer is taken by another program; it is \\d+ from now on.`),
    );
  });

  it('runs once from a folder, and says where', async () => {
    const dir = await scratchFolder();
    const { info } = await up(dir);
    await expect(up(dir)).rejects.toMatchObject({
      code: 'KLUTCH_SANDBOX_RUNNING',
      message: expect.stringContaining(info.kubeconfig),
    });
    expect((await fetch(info.provider)).status).toBe(200);
  });

  it('ends when another process asks for it', async () => {
    const dir = await scratchFolder();
    const { sandbox, info } = await up(dir);
    const running = await findRunning(layoutOf(dir));
    await running?.stop();
    await sandbox.stopped;
    for (const url of [info.provider, info.issuer]) await expect(fetch(url)).rejects.toThrow();
  });

  it('ends in good order while it is still starting', async () => {
    const dir = await scratchFolder();
    const stop = new AbortController();
    const sandbox = startSandbox(
      { dir, version: '2.0.0', ports: quietPorts() },
      { signal: stop.signal, onProgress: (text) => void (text.startsWith('Installing') && stop.abort()) },
    );
    await expect(sandbox.ready).rejects.toThrow();
    await sandbox.stopped;
    await (await up(dir)).down();
  });
});
