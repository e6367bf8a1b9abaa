import { appCluster as names, kubeconfigKey, KlutchError } from '@klutch/api';
import type { FreshCredential } from '@klutch/api/contract';
import {
  type ClusterConfig,
  connect,
  isKubeError,
  type KubeClient,
  parseKubeconfig,
  Secrets,
  userAgentOf,
} from '@klutch/kube';
import { waitUntil } from '../cluster/wait-until.ts';
import type { Connection } from '../connections/find-connections.ts';
import { packageVersion } from '../package-version.ts';

/** A connection whose credentials can all be ended. */
export interface EvictableConnection extends Connection {
  readonly config: ClusterConfig & { readonly namespace: string };
  readonly backendUrl: string;
}

/** The connection, if it is known to which backend and which app cluster it belongs; throws `KLUTCH_USAGE` otherwise. */
export function evictable(connection: Connection): EvictableConnection {
  const { config, backendUrl, secretName, problem } = connection;
  const namespace = config?.namespace;
  if (config !== undefined && namespace !== undefined && backendUrl !== undefined) {
    return { ...connection, config: { ...config, namespace }, backendUrl };
  }
  const why = problem ?? 'the address of the backend that issued it is not known';
  const message = `The credentials of Secret ${names.namespace}/${secretName} cannot be ended from here: ${why}. Ask the operator to revoke the app cluster (klutch backend revoke), and bind again.`;
  throw new KlutchError('KLUTCH_USAGE', message);
}

export interface EvictOptions {
  /** Logs in, by which the backend ends all credentials and issues a new one. */
  readonly logIn: () => Promise<FreshCredential>;
  readonly say: (text: string) => void;
  readonly signal?: AbortSignal;
}

/** Longer than any API server accepts a token whose account is gone. */
const refusedWithinMs = 60_000;

/**
 * Ends all credentials of a connection and stores the new one, and then shows that the old one is refused. A run that was cut
 * off after the login leaves a dead credential behind, which another run replaces. Says what was achieved.
 */
export async function evictConnection(
  client: KubeClient,
  { config: old, secretName }: EvictableConnection,
  { logIn, say, signal }: EvictOptions,
): Promise<string> {
  const where = `Secret ${names.namespace}/${secretName}`;
  const { kubeconfig: encoded } = await logIn();
  const text = Buffer.from(encoded, 'base64').toString('utf8');
  const fresh = parseKubeconfig(text, { source: 'the answer of the backend', trust: 'foreign' });
  if (fresh.server !== old.server || fresh.namespace !== old.namespace) {
    const message = `The backend answered for another app cluster than that of ${where}, in which nothing was changed.`;
    throw new KlutchError('KLUTCH_PROVIDER_INVALID', message);
  }
  const patch = { data: { [kubeconfigKey]: encoded } };
  await client
    .resource(Secrets)
    .patch({ namespace: names.namespace, name: secretName }, { type: 'merge', patch }, { signal });
  say('Waiting until the control plane refuses the old credential');
  const isRefused = async () => ((await accepts(old, signal)) ? undefined : true);
  if (!(await waitUntil(isRefused, { withinMs: refusedWithinMs, signal }))) {
    const message = `The new credential is in ${where}, but the control plane ${old.server} still accepts the old one. Ask its operator to look at once.`;
    throw new KlutchError('KLUTCH_PROVIDER_INVALID', message);
  }
  if (!(await accepts(fresh, signal))) {
    const message = `The control plane ${fresh.server} does not accept the new credential in ${where}. Run \`klutch bind\` again.`;
    throw new KlutchError('KLUTCH_PROVIDER_INVALID', message);
  }
  return `All credentials of the app cluster have ended, the old one is refused, and the new one is in ${where}.`;
}

/** Whether the control plane knows who this is. */
async function accepts(config: ClusterConfig, signal?: AbortSignal): Promise<boolean> {
  const client = connect(config, { userAgent: userAgentOf('klutch-cli', await packageVersion()) });
  try {
    await client.resource(Secrets).list({ namespace: config.namespace ?? '', limit: 1, metadataOnly: true, signal });
    return true;
  } catch (error) {
    if (isKubeError(error, 'KUBE_UNAUTHORIZED')) return false;
    throw error;
  } finally {
    await client.close();
  }
}
