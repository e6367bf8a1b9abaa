import { appCluster as names, ClusterBindings, controlPlane, kubeconfigKey, KlutchError } from '@klutch/api';
import { throughProxy } from '@klutch/api/contract';
import { connect, type KubeClient, parseKubeconfig, Secrets, userAgentOf } from '@klutch/kube';
import type { HttpSettings } from '../bind/http-call.ts';
import { waitUntil } from '../cluster/wait-until.ts';
import type { Connection } from '../connections/find-connections.ts';
import { tenantBackendOf } from '../connections/tenant-backend.ts';
import { packageVersion } from '../package-version.ts';

export interface RotateOptions {
  readonly settings: HttpSettings;
  readonly say: (text: string) => void;
  readonly signal?: AbortSignal;
}

/** After this time without a heartbeat, the old credential ends all the same: the konnector reads the new one from the Secret. */
const heartbeatWithinMs = 10_000;

/**
 * Replaces the credential of a connection: a new one is issued, tried, stored, and taken up by the konnector, before
 * the old one ends. Whatever fails before that leaves the old one at work. Says what was achieved.
 */
export async function rotateConnection(
  client: KubeClient,
  connection: Connection,
  { settings, say, signal }: RotateOptions,
): Promise<string> {
  const where = `Secret ${names.namespace}/${connection.secretName}`;
  const backend = tenantBackendOf(connection, settings);
  if (backend === undefined) {
    const problem = connection.problem ?? 'the address of the backend that issued it is not known';
    throw new KlutchError(
      'KLUTCH_BACKEND_TOO_OLD',
      `Cannot replace the credential in ${where}: ${problem}. Run \`klutch bind <provider-url>\` again.`,
    );
  }
  const kubeconfig = await backend.rotate();
  const config = parseKubeconfig(kubeconfig, { source: 'the answer of the backend', trust: 'foreign' });
  if (config.server !== connection.config?.server || config.namespace !== connection.config.namespace) {
    throw new KlutchError(
      'KLUTCH_PROVIDER_INVALID',
      `The backend answered for another cluster than that of ${where}; the old credential stays.`,
    );
  }
  const remote = connect(throughProxy(config, process.env), {
    userAgent: userAgentOf('klutch-cli', await packageVersion()),
  });
  try {
    const ref = { namespace: config.namespace ?? '', name: controlPlane.clusterBinding };
    const heartbeat = async () =>
      (await remote.resource(ClusterBindings).get(ref, { signal })).status?.lastHeartbeatTime;
    const before = await heartbeat();
    await store(client, connection, kubeconfig, signal);
    say(`Waiting until the konnector uses the new credential in ${where}`);
    await waitUntil(async () => ((await heartbeat()) !== before ? true : undefined), {
      withinMs: heartbeatWithinMs,
      signal,
    });
    // Konnectors of other versions copy what the control plane offered a moment ago, also over the new credential.
    await store(client, connection, kubeconfig, signal);
    if (config.auth.kind === 'token') await backend.finishRotation(config.auth.token);
    return `The credential in ${where} is replaced, and the old one has ended.`;
  } finally {
    await remote.close();
  }
}

/** Stores a kubeconfig in the Secret of a connection, unless it is there. */
async function store(
  client: KubeClient,
  { secretName: name }: Connection,
  kubeconfig: string,
  signal: AbortSignal | undefined,
): Promise<void> {
  const ref = { namespace: names.namespace, name };
  const encoded = Buffer.from(kubeconfig).toString('base64');
  const secrets = client.resource(Secrets);
  if ((await secrets.get(ref, { signal })).data?.[kubeconfigKey] === encoded) return;
  await secrets.patch(ref, { type: 'merge', patch: { data: { [kubeconfigKey]: encoded } } }, { signal });
}
