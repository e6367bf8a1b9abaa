import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, type KubeClient, loadKubeconfig, Secrets } from '@klutch/kube';
import { eventually } from '@klutch/kube/testing';
import { contexts, Greetings, type SandboxInfo, startSandbox } from '@klutch/sandbox';
import { describe, expect, it, onTestFinished } from 'vitest';
import { bind } from '../../scripts/start/bind.ts';
import { createTeller } from '../../scripts/start/teller.ts';

const patience = { withinMs: 60_000 };

async function up(dir: string) {
  const stop = new AbortController();
  const ports = { controlPlane: 0, appCluster: 0, issuer: 0, backend: 0 };
  const sandbox = startSandbox({ dir, version: '2.0.0', ports }, { signal: stop.signal });
  const down = async () => {
    stop.abort();
    await sandbox.stopped;
  };
  onTestFinished(() => down().catch(() => undefined));
  return { info: await sandbox.ready, down };
}

async function bound(info: SandboxInfo): Promise<string> {
  const said: string[] = [];
  const teller = createTeller({ isTTY: false, write: (text: string | Uint8Array) => said.push(String(text)) > 0 });
  await bind(info, teller, AbortSignal.timeout(100_000)).catch((error: unknown) => {
    throw new Error(said.join(''), { cause: error });
  });
  return said.join('');
}

async function appOf({ kubeconfig }: SandboxInfo): Promise<KubeClient> {
  const client = connect(await loadKubeconfig({ path: kubeconfig, context: contexts.app }), { userAgent: 'test' });
  onTestFinished(() => client.close());
  return client;
}

async function greet(app: KubeClient, name: string): Promise<void> {
  await app.resource(Greetings).create({
    apiVersion: 'sandbox.klutch.io/v1',
    kind: 'Greeting',
    metadata: { namespace: 'default', name },
    spec: { to: name },
  });
}

/** What has come down for a greeting. */
async function passphraseOf(app: KubeClient, name: string): Promise<string> {
  const secretName = await eventually(async () => {
    const { status } = await app.resource(Greetings).get({ namespace: 'default', name });
    return status?.secretName;
  }, patience);
  const secret = await eventually(
    () => app.resource(Secrets).find({ namespace: 'default', name: secretName }),
    patience,
  );
  return secret.data?.['passphrase'] ?? '';
}

describe('a sandbox and the command line', () => {
  it('bind, serve, and go on after a restart at other addresses', { timeout: 300_000 }, async () => {
    const dir = await mkdtemp(join(tmpdir(), 'klutch-journey-'));
    onTestFinished(() => rm(dir, { recursive: true, force: true }));
    const first = await up(dir);
    await bound(first.info);
    const before = await appOf(first.info);
    await greet(before, 'ada');
    const passphrase = await passphraseOf(before, 'ada');
    expect(passphrase).not.toBe('');
    await first.down();

    for (const url of [first.info.controlPlane, first.info.issuer, first.info.provider]) {
      const holder = createServer().listen(Number(new URL(url).port), '127.0.0.1');
      await once(holder, 'listening');
      onTestFinished(() => void holder.close());
    }
    const second = await up(dir);
    expect(second.info.controlPlane).not.toBe(first.info.controlPlane);
    const after = await appOf(second.info);
    expect(await passphraseOf(after, 'ada')).toBe(passphrase);
    await greet(after, 'eve');
    expect(await passphraseOf(after, 'eve')).not.toBe('');

    // Still the same tenant, although its issuer has moved.
    expect(await bound(second.info)).toContain('is bound');
    await after.resource(Greetings).delete({ namespace: 'default', name: 'ada' });
    await eventually(
      async () => (await after.resource(Greetings).find({ namespace: 'default', name: 'ada' })) === undefined,
      patience,
    );
    await eventually(
      async () => (await after.resource(Secrets).find({ namespace: 'default', name: 'ada-greeting' })) === undefined,
      patience,
    );
  });
});
