/**
 * Calls back when the signal aborts, at once when it has. Returns what takes the callback off again. However many wait, the
 * signal has one listener, and none when nobody waits: Node warns of a leak at eleven, and searches all of them to remove one.
 */
export function onAbort(signal: AbortSignal, callback: () => void): () => void {
  if (signal.aborted) {
    callback();
    return () => {};
  }
  const waiting = waitingFor(signal);
  // The same function may wait twice.
  const entry = () => callback();
  waiting.callbacks.add(entry);
  return () => {
    waiting.callbacks.delete(entry);
    if (waiting.callbacks.size > 0 || waitingOf.get(signal) !== waiting) return;
    waitingOf.delete(signal);
    signal.removeEventListener('abort', waiting.listener);
  };
}

interface Waiting {
  readonly callbacks: Set<() => void>;
  readonly listener: () => void;
}

/** Who waits for a signal; an entry lives as long as somebody does. */
const waitingOf = new WeakMap<AbortSignal, Waiting>();

function waitingFor(signal: AbortSignal): Waiting {
  const known = waitingOf.get(signal);
  if (known) return known;
  const callbacks = new Set<() => void>();
  const listener = () => {
    waitingOf.delete(signal);
    for (const callback of callbacks) callback();
  };
  const waiting: Waiting = { callbacks, listener };
  waitingOf.set(signal, waiting);
  signal.addEventListener('abort', listener, { once: true });
  return waiting;
}
