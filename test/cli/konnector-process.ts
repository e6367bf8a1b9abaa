import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { appClusterRules } from '@klutch/konnector';
import { type Running, runKlutch, scratchFolder } from '../../packages/cli/src/testing/run-klutch.ts';
import { grantInCluster, grantInNamespace } from '../konnector/run-konnector.ts';
import { type AppSide, type SampleApi, unique } from '../konnector/world.ts';

/** A `klutch konnector` that runs as a process of its own. */
export interface KonnectorProcess extends Running {
  /** Asks its health server. */
  get(path: string): Promise<{ readonly status: number; readonly body: string }>;
}

/** A kubeconfig file of a user who may do in the app cluster exactly what the generated roles say. */
export async function kubeconfigFile(
  side: AppSide,
  api: SampleApi,
  claims?: Parameters<typeof appClusterRules>[1],
): Promise<string> {
  const user = unique('konnector');
  const rules = appClusterRules([{ group: api.type.group, plural: api.type.plural }], claims);
  await grantInCluster(side.cluster.admin, user, rules.cluster);
  await grantInNamespace(side.cluster.admin, { kind: 'User', name: user }, side.bindingNamespace, rules.namespace);
  const file = join(await scratchFolder(), 'config');
  await writeFile(file, await side.cluster.kubeconfig({ name: user }), { mode: 0o600 });
  return file;
}

/** Starts a konnector for an app side and waits until it serves its health. It ends with the test at the latest. */
export async function startProcess(
  side: AppSide,
  kubeconfig: string,
  options: { readonly podName?: string; readonly args?: readonly string[] } = {},
): Promise<KonnectorProcess> {
  const bindings = `--binding-namespace=${side.bindingNamespace}`;
  const health = ['--health-host=127.0.0.1', '--health-port=0'];
  const args = ['konnector', '--kubeconfig', kubeconfig, bindings, ...health, ...(options.args ?? [])];
  const running = runKlutch(args, {
    POD_NAME: options.podName ?? unique('pod'),
    POD_NAMESPACE: side.bindingNamespace,
  });
  await running.says('"msg":"konnector ready"');
  const port = /"healthPort":(\d+)/.exec(running.err())?.[1];
  return {
    ...running,
    get: async (path) => {
      const answer = await fetch(`http://127.0.0.1:${port}${path}`);
      return { status: answer.status, body: await answer.text() };
    },
  };
}

/** What it has logged so far; fails when a line is not JSON. */
export function entriesOf(running: Running): readonly Readonly<Record<string, unknown>>[] {
  const lines = running.err().split('\n').slice(0, -1);
  return lines.map((line) => JSON.parse(line) as Record<string, unknown>);
}
