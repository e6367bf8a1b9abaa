import { annotations, type APIServiceBinding, appCluster as names, kubeconfigKey } from '@klutch/api';
import { type ClusterConfig, type KubeClient, parseKubeconfig, type Secret, Secrets } from '@klutch/kube';
import { allBindings } from '../manifests/served-by-konnector.ts';
import { tokenExpiry } from './token-expiry.ts';

/** A way from an app cluster to a control plane: a kubeconfig Secret, and what is bound through it. */
export interface Connection {
  /** The Secret, in namespace `klutch-bind`. */
  readonly secretName: string;
  readonly bindings: readonly APIServiceBinding[];
  /** The control plane; undefined when the Secret is missing or cannot be used. */
  readonly config?: ClusterConfig;
  /** Why it cannot be used. */
  readonly problem?: string;
  /** When its token ends; undefined when it does not, or nobody can tell. */
  readonly expires?: Date;
  /** Address of the backend that issued it, as far as it is known. */
  readonly backendUrl?: string;
  /** APIs whose unbinding began and is not finished. */
  readonly unbinding?: readonly string[];
}

/** All connections of an app cluster, those through which nothing is bound included, by name of their Secret. */
export async function findConnections(client: KubeClient, signal?: AbortSignal): Promise<readonly Connection[]> {
  const bindings = await allBindings(client, signal);
  const secrets = await client.resource(Secrets).list({ namespace: names.namespace, signal });
  return connectionsOf(secrets.items, bindings);
}

/** Pure: how Secrets and bindings belong together. */
export function connectionsOf(
  secrets: readonly Secret[],
  bindings: readonly APIServiceBinding[],
): readonly Connection[] {
  const byName = new Map(secrets.map((secret) => [secret.metadata.name ?? '', secret]));
  const named = bindings.map(({ spec }) => spec?.kubeconfigSecretRef.name ?? '');
  const issued = secrets.filter(isKubeconfigSecret).map(({ metadata }) => metadata.name ?? '');
  return [...new Set([...named, ...issued])].sort().map((secretName) => ({
    secretName,
    bindings: bindings.filter(({ spec }) => spec?.kubeconfigSecretRef.name === secretName),
    ...readSecret(secretName, byName.get(secretName)),
  }));
}

/** What the CLIs make has this prefix or, by the a9s CLI, this name. */
function isKubeconfigSecret({ metadata: { name = '' }, data }: Secret): boolean {
  const isNamedSo = name === kubeconfigKey || name.startsWith(names.kubeconfigSecretPrefix);
  return isNamedSo && data?.[kubeconfigKey] !== undefined;
}

function readSecret(name: string, secret: Secret | undefined): Partial<Connection> {
  const source = `Secret ${names.namespace}/${name}`;
  if (secret === undefined) return { problem: `${source} does not exist; bind again` };
  const text = Buffer.from(secret.data?.[kubeconfigKey] ?? '', 'base64').toString('utf8');
  const { [annotations.backendUrl]: backendUrl, [annotations.unbinding]: unbinding } =
    secret.metadata.annotations ?? {};
  const known = { backendUrl, unbinding: unbinding === undefined ? [] : unbinding.split(',') };
  try {
    const config = parseKubeconfig(text, { source, trust: 'foreign' });
    const token = config.auth.kind === 'token' ? config.auth.token : undefined;
    return { config, expires: token === undefined ? undefined : tokenExpiry(token), ...known };
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error), ...known };
  }
}
