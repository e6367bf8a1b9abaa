import { isKubeError, type KubeClient } from '@klutch/kube';
import type { Call } from './calls.ts';

const atOnce = 8;

/**
 * Titles of the calls that the server did not forbid, whatever else it had against them. What is a matter of course for
 * everybody, such as asking for the own rights, is among them.
 */
export async function allowedCalls(client: KubeClient, calls: readonly Call[]): Promise<string[]> {
  const allowed: string[] = [];
  const waiting = [...calls];
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      for (let call = waiting.pop(); call; call = waiting.pop()) {
        if (await isAllowed(client, call)) allowed.push(call.title);
      }
    }),
  );
  return [...new Set(allowed)].sort();
}

async function isAllowed(client: KubeClient, { request }: Call): Promise<boolean> {
  try {
    const response = await client.transport.send(request);
    for await (const _ of response.body) {
      // A watch ends by itself; the rest of an answer is of no interest.
    }
    return true;
  } catch (error) {
    return !isKubeError(error, 'KUBE_FORBIDDEN') && !isKubeError(error, 'KUBE_UNAUTHORIZED');
  }
}
