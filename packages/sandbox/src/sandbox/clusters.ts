import {
  APIServiceExportTemplates,
  crds,
  type CustomResourceDefinition,
  CustomResourceDefinitions,
  fieldManager,
  offeredApi,
} from '@klutch/api';
import { type ApiServer, startApiServer } from '@klutch/apiserver';
import { backendAccess } from '@klutch/backend';
import {
  type ClusterConfig,
  connect,
  type KubeClient,
  type Logger,
  Namespaces,
  parseKubeconfig,
  pause,
  systemClock,
  userAgentOf,
} from '@klutch/kube';
import { greetingCrd, greetingTemplate } from '../sample/greeting.ts';

/** One of the two clusters, with its administrator. */
export interface Cluster {
  readonly server: ApiServer;
  readonly config: ClusterConfig;
  readonly client: KubeClient;
  stop(): Promise<void>;
}

export interface ClusterOptions {
  readonly name: string;
  readonly dir: string;
  readonly port: number;
  readonly version: string;
  readonly log: Logger;
}

/** Starts an API server from its folder. */
export async function startCluster({ name, dir, port, version, log }: ClusterOptions): Promise<Cluster> {
  const onProblem = (problem: unknown) =>
    log.warn({ cluster: name, problem: textOf(problem) }, 'problem of an API server');
  const server = await startApiServer({ dir, port, onProblem });
  const config = parseKubeconfig(server.kubeconfig(), { source: `the ${name}`, trust: 'local' });
  const client = connect(config, { userAgent: userAgentOf('klutch-sandbox', version) });
  const stop = async () => {
    await client.close();
    await server.stop();
  };
  return { server, config, client, stop };
}

/** Namespace of the backend and its catalogue on the control plane. */
export const backendNamespace = 'klutch-system';

/** Installs the kinds of Klutch, and the sample API with its entry in the catalogue; again after an update. */
export async function furnish(client: KubeClient, signal: AbortSignal): Promise<void> {
  await Promise.all([...crds, greetingCrd].map((crd) => installCrd(client, crd, signal)));
  const apply = { fieldManager, force: true, signal };
  const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: backendNamespace } };
  await client.resource(Namespaces).apply(namespace, apply);
  await client.resource(APIServiceExportTemplates).apply(greetingTemplate(backendNamespace), apply);
}

/** Gives the backend its rights on the control plane, with the policies that narrow them; how it connects with them. */
export async function admitBackend(controlPlane: Cluster, signal: AbortSignal): Promise<ClusterConfig> {
  const { client, server } = controlPlane;
  const groups = ['system:serviceaccounts', `system:serviceaccounts:${backendNamespace}`, 'system:authenticated'];
  const account = `system:serviceaccount:${backendNamespace}:${backendAccount}`;
  const offers = [offeredApi(greetingTemplate(backendNamespace)) ?? []].flat();
  const grounds = { offers, consumerScope: 'Namespaced', controlPlaneMode: false } as const;
  for (const { type, object } of backendAccess({ ...grounds, account, namespace: backendNamespace })) {
    await client.resource(type).apply(object, { fieldManager, force: true, signal });
  }
  return parseKubeconfig(server.kubeconfig({ name: account, groups }), { source: 'the backend', trust: 'local' });
}

const backendAccount = 'klutch-backend';

async function installCrd(client: KubeClient, crd: CustomResourceDefinition, signal: AbortSignal): Promise<void> {
  const definitions = client.resource(CustomResourceDefinitions);
  let { status } = await definitions.apply(crd, { fieldManager, force: true, signal });
  while (!status?.conditions?.some(({ type, status }) => type === 'Established' && status === 'True')) {
    await pause(systemClock, 20, signal);
    signal.throwIfAborted();
    ({ status } = await definitions.get({ name: crd.metadata.name ?? '' }, { signal }));
  }
}

function textOf(problem: unknown): string {
  if (problem instanceof Error) return problem.message;
  return typeof problem === 'string' ? problem : JSON.stringify(problem);
}
