import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type KubeClient, renderKubeconfig, Secrets } from '@klutch/kube';
import { ServiceAccounts } from '../../packages/backend/src/objects/service-account.ts';
import { type Deployment, Deployments } from '../../packages/backend/src/objects/deployment.ts';
import { type Running, runKlutch } from '../../packages/cli/src/testing/run-klutch.ts';

/** The control plane, as the part of the kubelet sees it. */
export interface Node {
  readonly admin: KubeClient;
  readonly url: string;
  readonly caCertificate: string;
  readonly folder: string;
}

/** A Pod of the backend: the command of its container, as a process of this machine. */
export interface Pod {
  readonly process: Running;
  /** Where it answers browsers. */
  readonly url: string;
  /** Where it answers probes and monitoring. */
  readonly operationsUrl: string;
  /** Brings the files of its Secret volume up to date, as the kubelet does within a minute. */
  syncVolume(): Promise<void>;
  stop(): Promise<void>;
}

/** Runs one Pod of a Deployment of the backend with the token of its service account, and waits until it is ready. */
export async function runPod(node: Node, deployment: Deployment, name: string): Promise<Pod> {
  const { namespace = '' } = deployment.metadata;
  const { serviceAccountName, containers } = deployment.spec.template.spec;
  const [container] = containers;
  const folder = join(node.folder, name);
  await mkdir(folder, { recursive: true });
  const volume = join(folder, 'secret');
  const syncVolume = () => writeVolume(node.admin, { namespace, name: serviceAccountName }, volume);
  await syncVolume();
  const token = await tokenOf(node.admin, { namespace, name: serviceAccountName });
  const kubeconfig = join(folder, 'kubeconfig');
  const text = renderKubeconfig({ server: node.url, ca: node.caCertificate, namespace, user: { token } });
  await writeFile(kubeconfig, text, { mode: 0o600 });
  const args = (container?.args ?? []).map((arg) =>
    arg.replace('/etc/klutch', volume).replace(/=0\.0\.0\.0:\d+$/, '=127.0.0.1:0'),
  );
  const [, ...command] = container?.command ?? [];
  const running = runKlutch([...command, ...args, `--kubeconfig=${kubeconfig}`], {
    POD_NAME: name,
    POD_NAMESPACE: namespace,
  });
  await running.says('"msg":"backend ready"');
  const line = running
    .err()
    .split('\n')
    .find((one) => one.includes('"msg":"backend ready"'));
  const { url, operations } = JSON.parse(line ?? '{}') as { readonly url: string; readonly operations: string };
  return {
    process: running,
    url,
    operationsUrl: operations,
    syncVolume,
    stop: async () => {
      running.process.kill('SIGTERM');
      await running.ended();
    },
  };
}

/** The Deployment of the backend, as it was applied. */
export async function backendDeployment(admin: KubeClient, namespace: string): Promise<Deployment> {
  return admin.resource(Deployments).get({ namespace, name: 'klutch-backend' });
}

async function writeVolume(
  admin: KubeClient,
  ref: { readonly namespace: string; readonly name: string },
  folder: string,
): Promise<void> {
  await mkdir(folder, { recursive: true });
  const { data = {} } = await admin.resource(Secrets).get(ref);
  for (const [key, value] of Object.entries(data)) {
    await writeFile(join(folder, key), Buffer.from(value, 'base64'), { mode: 0o600 });
  }
}

async function tokenOf(
  admin: KubeClient,
  { namespace, name }: { readonly namespace: string; readonly name: string },
): Promise<string> {
  const answer = await admin.resource(ServiceAccounts).create(
    {
      apiVersion: 'authentication.k8s.io/v1',
      kind: 'TokenRequest',
      metadata: { name, namespace },
      spec: { expirationSeconds: 3_600 },
    },
    { subresource: 'token' },
  );
  return (answer['status'] as { readonly token: string }).token;
}
