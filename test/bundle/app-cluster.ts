import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type APIServiceBinding,
  APIServiceBindings,
  appCluster as names,
  ConditionType,
  findCondition,
  kubeconfigKey,
} from '@klutch/api';
import { startKonnector } from '@klutch/konnector';
import {
  type KubeClient,
  parseKubeconfig,
  renderKubeconfig,
  type ResourceType,
  type Secret,
  Secrets,
  type KubeObject,
} from '@klutch/kube';
import type { Tier } from '@klutch/kit';
import { onTestFinished } from 'vitest';
import { runCommand } from '../../packages/cli/src/testing/run-in-process.ts';
import { ServiceAccounts } from '../../packages/backend/src/objects/service-account.ts';
import { patiently } from '../backend/process-world.ts';
import { type Kubectl, kubectlOn } from '../conformance/kubectl.ts';
import { openOwnCluster, type TestCluster } from '../konnector/clusters.ts';

/** An app cluster that nobody has bound, and kubectl for its administrator. */
export interface AppCluster {
  readonly cluster: TestCluster;
  readonly admin: KubeClient;
  readonly kubectl: Kubectl;
  /** Stores a text as a file for kubectl, and yields its path. */
  file(text: string): Promise<string>;
  binding(api: string): Promise<APIServiceBinding>;
  /** Waits until a binding is ready. */
  untilReady(api: string): Promise<void>;
  /** Waits until a condition of a binding has a reason, and yields its message. */
  untilSays(api: string, type: string, reason: string): Promise<string>;
  /** Applies a file, as often as it takes until kubectl has nothing to complain about. */
  apply(file: string, ...flags: readonly string[]): Promise<void>;
  /** Runs `klutch` for this cluster; fails unless that works. */
  klutch(...args: readonly string[]): Promise<string>;
  /** The kubeconfig Secrets. */
  credentials(): Promise<readonly Secret[]>;
}

/** It ends with the test. The konnector runs while its Deployment exists, with the rights of its service account. */
export async function openAppCluster(tier: Tier, { isManned = true } = {}): Promise<AppCluster> {
  const cluster = await openOwnCluster(tier);
  onTestFinished(() => cluster.close());
  const { admin } = cluster;
  const kubectl = await kubectlOn({ kubeconfig: () => cluster.kubeconfig() }, names.namespace);
  onTestFinished(() => kubectl.close());
  if (isManned) playKubelet(cluster);
  const bindings = admin.resource(APIServiceBindings);
  const binding = (api: string) => bindings.get({ namespace: names.namespace, name: api });
  const conditionOf = async (api: string, type: string) =>
    findCondition((await binding(api)).status?.conditions ?? [], type);
  let files = 0;
  return {
    cluster,
    admin,
    kubectl,
    binding,
    file: async (text) => {
      const path = join(kubectl.folder, `file-${files++}.yaml`);
      await writeFile(path, text, { mode: 0o600 });
      return path;
    },
    apply: async (path, ...flags) => {
      await patiently(async () => (await kubectl.run(['apply', ...flags, '-f', path].join(' '))).code === 0);
    },
    klutch: async (...args) => {
      const config = join(kubectl.folder, 'config');
      const command = runCommand([...args, '--kubeconfig', config]);
      const code = await command.ended();
      if (code !== 0) throw new Error(`klutch ${args.join(' ')} ended with ${code}: ${command.err()}`);
      return command.out();
    },
    untilReady: async (api) => {
      await patiently(async () => (await conditionOf(api, ConditionType.Ready))?.status === 'True');
    },
    untilSays: async (api, type, reason) =>
      patiently(async () => {
        const condition = await conditionOf(api, type);
        return condition?.reason === reason ? (condition.message ?? '') : undefined;
      }),
    credentials: async () => {
      const { items } = await admin.resource(Secrets).list({ namespace: names.namespace });
      return items.filter(({ data }) => data?.[kubeconfigKey] !== undefined);
    },
  };
}

const Deployments: ResourceType<KubeObject> = {
  group: 'apps',
  version: 'v1',
  plural: 'deployments',
  kind: 'Deployment',
  namespaced: true,
};

/** The part of controllers and kubelet: one konnector runs while there is a Deployment of it. */
function playKubelet(cluster: TestCluster): void {
  const stop = new AbortController();
  const ref = { namespace: names.namespace, name: names.konnector };
  const isDeployed = async () => (await cluster.admin.resource(Deployments).find(ref)) !== undefined;
  const running = (async () => {
    while (!stop.signal.aborted) {
      if (await isDeployed()) await runPod();
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  })();
  onTestFinished(async () => {
    stop.abort();
    await running;
  });

  async function runPod(): Promise<void> {
    const pod = new AbortController();
    const local = parseKubeconfig(await podKubeconfig(cluster), { source: 'the pod', trust: 'local' });
    const konnector = startKonnector(
      {
        mode: { kind: 'default' },
        local,
        lease: {
          name: 'klutch-bind',
          namespace: names.namespace,
          identity: 'pod',
          timings: { leaseDurationMs: 4_000, renewDeadlineMs: 3_000, retryPeriodMs: 200 },
        },
        version: '2.0.0',
        probe: { everyMs: 500, retryMs: 200, timeoutMs: 3_000 },
      },
      { signal: pod.signal },
    );
    while (!stop.signal.aborted && (await isDeployed())) await new Promise((resolve) => setTimeout(resolve, 200));
    pod.abort();
    await konnector.stopped;
  }
}

/** How a pod with the service account of the konnector reaches its cluster; waits until there is such an account. */
export async function podKubeconfig(cluster: TestCluster): Promise<string> {
  const request = {
    apiVersion: 'authentication.k8s.io/v1',
    kind: 'TokenRequest',
    metadata: { name: names.konnector, namespace: names.namespace },
    spec: { expirationSeconds: 3_600 },
  };
  const accounts = cluster.admin.resource(ServiceAccounts);
  const answer = await patiently(() => accounts.create(request, { subresource: 'token' }).catch(() => undefined));
  const { token } = answer['status'] as { readonly token: string };
  return renderKubeconfig({
    server: cluster.url,
    ca: cluster.caCertificate,
    namespace: names.namespace,
    user: { token },
  });
}
