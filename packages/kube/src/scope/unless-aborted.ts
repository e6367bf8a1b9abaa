import { onAbort } from './on-abort.ts';

/** What `promise` comes to, or a rejection with the signal's reason, whichever is first. */
export async function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  let leave = () => {};
  const aborted = new Promise<never>((_, reject) => {
    leave = onAbort(signal, () => reject(signal.reason as Error));
  });
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    leave();
  }
}
