import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { appCluster as names } from '@klutch/api';
import type { Tier } from '@klutch/kit';
import { describeReal, sharedPlane } from '@klutch/kit/vitest';
import { isKubeError, type KubeClient, type Secret, Secrets } from '@klutch/kube';
import { parse } from 'yaml';
import { afterAll, beforeAll, describe, onTestFinished, vi } from 'vitest';
import { scratchFolder } from '../../packages/cli/src/testing/run-klutch.ts';
import { type CommandRun, type CommandRunOptions, runCommand } from '../../packages/cli/src/testing/run-in-process.ts';
import { clusterOf, installKinds, openEmbedded, openOwnCluster, type TestCluster } from '../konnector/clusters.ts';
import { createTenant, type TestTenant } from '../konnector/world.ts';
import { type Offer, type ScriptedProvider, startScriptedProvider } from './scripted-provider.ts';

/** Where binding is played: an app cluster that belongs to the file, and a control plane. */
export interface Stage {
  readonly tier: Tier;
  readonly app: TestCluster;
  readonly controlPlane: TestCluster;
}

/** Declares the same tests on both tiers. All tests of a file share the app cluster. */
export function onBindStage(title: string, body: (stage: () => Stage) => void): void {
  // A test is several commands against several servers; on a busy machine each takes its time.
  vi.setConfig({ testTimeout: 240_000 });
  const suite = (tier: Tier, openControlPlane: () => Promise<TestCluster>) => () => {
    let stage: Stage | undefined;
    beforeAll(async () => {
      const [app, controlPlane] = await Promise.all([openOwnCluster(tier), openControlPlane()]);
      await installKinds(controlPlane);
      stage = { tier, app, controlPlane };
    }, 300_000);
    afterAll(async () => {
      await Promise.all([stage?.app.close(), stage?.controlPlane.close()]);
    });
    body(() => {
      if (!stage) throw new Error('The clusters are there only while tests run.');
      return stage;
    });
  };
  describe(`${title} (embedded)`, suite('embedded', openEmbedded));
  describeReal(`${title} (real)`, suite('real', openSharedControlPlane));
}

async function openSharedControlPlane(): Promise<TestCluster> {
  const plane = await sharedPlane('konnector-control-plane');
  return clusterOf({
    url: plane.url,
    caCertificate: plane.pki.certificate,
    kubeconfig: async () => plane.admin.kubeconfig,
    stop: async () => undefined,
  });
}

/** A provider with a tenant of its own; both go with the test. */
export async function openProvider(
  { controlPlane }: Stage,
  ...offers: readonly Offer[]
): Promise<ScriptedProvider & { readonly tenant: TestTenant }> {
  const tenant = await createTenant(controlPlane);
  const provider = await startScriptedProvider(controlPlane, tenant, offers);
  onTestFinished(async () => {
    await provider.close();
    await tenant.close();
  });
  // Not a copy: the address is known only while it runs.
  return Object.assign(provider, { tenant });
}

/** A file that goes with the test. */
export async function scratchFile(name: string, text: string): Promise<string> {
  const file = join(await scratchFolder(), name);
  await writeFile(file, text, { mode: 0o600 });
  return file;
}

/** A kubeconfig file of the app cluster's administrator, or of somebody else. */
export async function appKubeconfig({ app }: Stage, user?: Parameters<TestCluster['kubeconfig']>[0]): Promise<string> {
  return scratchFile('config', await app.kubeconfig(user));
}

/** Runs `klutch bind …` against the app cluster. */
export async function bind(stage: Stage, args: readonly string[], options?: CommandRunOptions): Promise<CommandRun> {
  return runCommand(['bind', '--kubeconfig', await appKubeconfig(stage), '--no-browser', ...args], options);
}

/** Runs `klutch bind apiservice …` against the app cluster. */
export async function bindApiService(
  stage: Stage,
  args: readonly string[],
  options?: CommandRunOptions,
): Promise<CommandRun> {
  return runCommand(['bind', 'apiservice', '--kubeconfig', await appKubeconfig(stage), ...args], options);
}

/** The address that a command wants to be opened. */
export async function printedUrl(run: CommandRun): Promise<string> {
  return (await run.says(/https?:\/\/\S+\/authorize\?\S+/))[0];
}

/** Logs in as a user would, and waits for the end of the command. */
export async function logInAndFinish(run: CommandRun, provider: ScriptedProvider): Promise<number> {
  await provider.visit(await printedUrl(run));
  return run.ended();
}

/** Secrets of namespace `klutch-bind` that hold kubeconfigs for a tenant. */
export async function secretsFor(client: KubeClient, tenant: TestTenant): Promise<readonly Secret[]> {
  const { items } = await client.resource(Secrets).list({ namespace: names.namespace });
  return items.filter((secret) => decoded(secret).includes(`namespace: ${tenant.clusterNamespace}`));
}

/** The kubeconfig in a Secret. */
export function decoded(secret: Secret | undefined): string {
  return Buffer.from(secret?.data?.['kubeconfig'] ?? '', 'base64').toString();
}

/** Ignores that something is not there. */
export async function unlessMissing(work: Promise<unknown>): Promise<void> {
  await work.catch((error: unknown) => {
    if (!isKubeError(error, 'KUBE_NOT_FOUND')) throw error;
  });
}

/** A kubeconfig file with the contexts `app-a`, which is the current one, and `app-b`. */
export async function twoContexts(a: string, b: string): Promise<string> {
  const entries = (text: string, name: string) => {
    const { clusters, users } = parse(text) as Record<'clusters' | 'users', [object]>;
    return {
      clusters: { ...clusters[0], name },
      users: { ...users[0], name },
      contexts: { name, context: { cluster: name, user: name } },
    };
  };
  const [first, second] = [entries(a, 'app-a'), entries(b, 'app-b')];
  const merged = {
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'app-a',
    clusters: [first.clusters, second.clusters],
    users: [first.users, second.users],
    contexts: [first.contexts, second.contexts],
  };
  return scratchFile('config', JSON.stringify(merged));
}
