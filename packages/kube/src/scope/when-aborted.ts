import { onAbort } from './on-abort.ts';

/** Resolves when the signal aborts. To wait for something else at the same time, use `unlessAborted`: it leaves no listener. */
export function whenAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    onAbort(signal, resolve);
  });
}
