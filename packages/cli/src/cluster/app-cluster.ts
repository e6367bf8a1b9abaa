import { appCluster as names, clusterId } from '@klutch/api';
import {
  type ClusterConfig,
  connect,
  type Interceptor,
  isKubeError,
  type KubeClient,
  type Namespace,
  Namespaces,
  userAgentOf,
} from '@klutch/kube';
import { packageVersion } from '../package-version.ts';
import type { Progress } from '../terminal/progress.ts';
import { clusterConfig } from './cluster-config.ts';
import type { ConnectionFlags } from './connection-flags.ts';

/** The app cluster a command works on. */
export interface AppCluster {
  readonly config: ClusterConfig;
  readonly client: KubeClient;
  /** Where it is and how it was chosen, for people. */
  readonly name: string;
  close(): Promise<void>;
}

export interface OpenOptions {
  readonly env: NodeJS.ProcessEnv;
  readonly progress: Progress;
  /** Whether the command will change something there; decides how the cluster is announced. Default true. */
  readonly changes?: boolean;
  readonly interceptors?: readonly Interceptor[];
}

/** Connects to the app cluster that the flags name, and says which one it is. Close it. Nothing is sent yet. */
export async function openAppCluster(flags: ConnectionFlags, options: OpenOptions): Promise<AppCluster> {
  const { env, progress, changes = true, interceptors } = options;
  const config = await clusterConfig(flags, env);
  const userAgent = userAgentOf('klutch-cli', await packageVersion());
  const client = connect(config, { userAgent, interceptors });
  const as = config.impersonate ? `, as ${config.impersonate.user}` : '';
  const name = `${config.server} (${config.source}${as})`;
  progress.note(`${changes ? 'This changes the app cluster' : 'The app cluster is'} ${name}.`);
  return { config, client, name, close: () => client.close() };
}

/** Who an app cluster is to a control plane. */
export interface ClusterIdentity {
  /** What the Go CLI computes, too: derived from the UID of namespace `klutch-bind`. */
  readonly id: string;
  /** UID of `kube-system`, which no two clusters share; undefined when the user may not read it. */
  readonly fingerprint?: string;
}

/** Namespace `klutch-bind`; undefined when there is none. */
export async function bindNamespace(client: KubeClient, signal?: AbortSignal): Promise<Namespace | undefined> {
  return client.resource(Namespaces).find({ name: names.namespace }, { signal });
}

/** Creates namespace `klutch-bind` unless it is there. */
export async function ensureBindNamespace(client: KubeClient, signal?: AbortSignal): Promise<Namespace> {
  const found = await bindNamespace(client, signal);
  if (found) return found;
  const namespaces = client.resource(Namespaces);
  try {
    const manifest = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: names.namespace } };
    return await namespaces.create(manifest, { signal });
  } catch (error) {
    if (!isKubeError(error, 'KUBE_ALREADY_EXISTS')) throw error;
    return namespaces.get({ name: names.namespace }, { signal });
  }
}

/** UID of `kube-system`: what tells clusters apart. Undefined when this user may not know. */
export async function fingerprintOf(client: KubeClient, signal?: AbortSignal): Promise<string | undefined> {
  try {
    return (await client.resource(Namespaces).find({ name: 'kube-system' }, { signal }))?.metadata.uid;
  } catch (error) {
    if (isKubeError(error, 'KUBE_FORBIDDEN')) return undefined;
    throw error;
  }
}

/** Pure: the id under which a cluster presents itself. */
export function identityOf(
  namespace: Namespace | undefined,
  fingerprint: string | undefined,
  chosen?: string,
): ClusterIdentity {
  const id = chosen ?? clusterId(namespace?.metadata.uid ?? fingerprint ?? '');
  return { id, fingerprint };
}
