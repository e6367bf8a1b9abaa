import { setMaxListeners } from 'node:events';

/** What `promise` comes to, or a rejection with the signal's reason, whichever is first. */
export async function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  let onAbort = () => {};
  const aborted = new Promise<never>((_, reject) => {
    onAbort = () => reject(signal.reason as Error);
  });
  if (signal.aborted) onAbort();
  // Many wait under the signal of their component; a warning at eleven would be noise.
  setMaxListeners(0, signal);
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}
