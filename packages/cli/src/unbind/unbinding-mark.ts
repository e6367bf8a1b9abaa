import { annotations, appCluster as names } from '@klutch/api';
import { isKubeError, type KubeClient, Secrets } from '@klutch/kube';
import type { Connection } from '../connections/find-connections.ts';

/**
 * Notes on the Secret of a connection that APIs are being unbound, so that a later run finishes what this one does not. Users who may
 * not change the Secret unbind without this note.
 */
export async function markUnbinding(
  client: KubeClient,
  { secretName, unbinding = [] }: Connection,
  apis: readonly string[],
  signal?: AbortSignal,
): Promise<void> {
  await write(client, secretName, [...new Set([...unbinding, ...apis])].join(','), signal);
}

/** Removes the note: everything that was begun is finished. */
export async function unmarkUnbinding(
  client: KubeClient,
  { secretName }: Connection,
  signal?: AbortSignal,
): Promise<void> {
  await write(client, secretName, null, signal);
}

async function write(client: KubeClient, name: string, value: string | null, signal: AbortSignal | undefined) {
  const patch = { metadata: { annotations: { [annotations.unbinding]: value } } };
  try {
    await client.resource(Secrets).patch({ namespace: names.namespace, name }, { type: 'merge', patch }, { signal });
  } catch (error) {
    // Without the Secret there is nothing to finish with it.
    if (!isKubeError(error, 'KUBE_NOT_FOUND', 'KUBE_FORBIDDEN')) throw error;
  }
}
