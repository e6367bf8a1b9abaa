import { KubeError } from '../errors/kube-error.ts';
import { onAbort } from '../scope/on-abort.ts';
import { scope } from '../scope/scope.ts';
import type { Clock } from './clock.ts';

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
  const { signal, end } = scope();
  const givenUp = new Promise<never>((_resolve, reject) => {
    onAbort(signal, () => reject(signal.reason as KubeError));
  });
  const cancel = clock.after(ms, () => end(new KubeError('KUBE_TIMEOUT', `no answer within ${ms} ms`)));
  const leave =
    parent &&
    onAbort(parent, () => end(new KubeError('KUBE_ABORTED', 'the request was cancelled', { cause: parent.reason })));
  try {
    return await Promise.race([givenUp, call(signal)]);
  } finally {
    cancel();
    leave?.();
  }
}
