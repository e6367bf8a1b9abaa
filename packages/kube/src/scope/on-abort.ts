/**
 * Calls back when the signal aborts, at once when it has. Returns what takes the callback off again. However many wait, the
 * signal has one listener, and none when nobody waits: Node warns of a leak at eleven, and searches all of them to remove one.
 */
export function onAbort(signal: AbortSignal, callback: () => void): () => void {
  if (signal.aborted) {
    callback();
    return nothing;
  }
  let waiting = waitingFor.get(signal);
  if (waiting === undefined) waitingFor.set(signal, (waiting = new Waiting(signal)));
  return waiting.add(callback);
}

/** Who waits for a signal; an entry lives as long as somebody does. */
const waitingFor = new WeakMap<AbortSignal, Waiting>();

/** Those who wait for one signal, in the order they came. Requests come and go here by the thousand. */
class Waiting {
  readonly #signal: AbortSignal;
  readonly #entries = new Set<{ readonly callback: () => void }>();

  constructor(signal: AbortSignal) {
    this.#signal = signal;
    signal.addEventListener('abort', this, { once: true });
  }

  add(callback: () => void): () => void {
    // An object of its own, because the same function may wait twice.
    const entry = { callback };
    this.#entries.add(entry);
    return () => {
      if (this.#entries.delete(entry) && this.#entries.size === 0) this.#leave();
    };
  }

  handleEvent(): void {
    waitingFor.delete(this.#signal);
    for (const entry of this.#entries) {
      this.#entries.delete(entry);
      entry.callback();
    }
  }

  #leave(): void {
    if (waitingFor.get(this.#signal) !== this) return;
    waitingFor.delete(this.#signal);
    this.#signal.removeEventListener('abort', this);
  }
}

function nothing(): void {}
