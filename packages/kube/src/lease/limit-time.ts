import { KubeError } from '../errors/kube-error.ts';
import type { Clock } from '../clock/clock.ts';

/**
 * Makes a call that must answer within `ms`. The call gets a signal that aborts when the time is over or `parent`
 * aborts; the result does not wait for a call that ignores it.
 */
export async function limitTime<T>(
  clock: Clock,
  ms: number,
  call: (signal: AbortSignal) => Promise<T>,
  parent?: AbortSignal,
): Promise<T> {
  const abort = new AbortController();
  const givenUp = new Promise<never>((_resolve, reject) => {
    abort.signal.addEventListener('abort', () => reject(abort.signal.reason as KubeError), { once: true });
  });
  const onParent = () =>
    abort.abort(new KubeError('KUBE_ABORTED', 'the request was cancelled', { cause: parent?.reason }));
  const cancel = clock.after(ms, () => abort.abort(new KubeError('KUBE_TIMEOUT', `no answer within ${ms} ms`)));
  parent?.addEventListener('abort', onParent, { once: true });
  if (parent?.aborted) onParent();
  try {
    return await Promise.race([givenUp, call(abort.signal)]);
  } finally {
    cancel();
    parent?.removeEventListener('abort', onParent);
  }
}
