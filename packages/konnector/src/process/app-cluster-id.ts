import { type Clock, type KubeClient, pause } from '@klutch/kube';
import { probeNamespace } from '../link/probe.ts';

/** The Namespace whose UID is the identity of a cluster: every cluster has it, and nobody can delete it. */
export const systemNamespace = 'kube-system';

/** UID of a Namespace, asked for until there is an answer; undefined when the signal aborts before. */
export async function whenIdentified(
  client: KubeClient,
  clock: Clock,
  signal: AbortSignal,
  name = systemNamespace,
): Promise<string | undefined> {
  while (!signal.aborted) {
    const answer = await probeNamespace(client, name, { timeoutMs: 5_000, signal });
    if (answer.is === 'ok') return answer.uid;
    await pause(clock, 1_000, signal);
  }
  return undefined;
}
