import { onAbort } from '../scope/on-abort.ts';

/** Reason with which a {@link Deadline} aborts when its time is over. */
export const timedOut = Symbol('timed out');

/**
 * A signal that aborts with its parents or after a time, and can be let go of. `AbortSignal.any` would do the same but keeps
 * every derived signal alive as long as its parents on Node 20; a component's root signal lives as long as the process.
 */
export class Deadline {
  readonly #controller = new AbortController();
  readonly #leave: readonly ((() => void) | undefined)[];
  readonly #timer: NodeJS.Timeout | undefined;
  #giveUp: ((reason: unknown) => void) | undefined;

  constructor(parents: readonly (AbortSignal | undefined)[], limitMs?: number) {
    this.#leave = parents.map((parent) => parent && onAbort(parent, () => this.#abort(parent.reason)));
    this.#timer = limitMs === undefined ? undefined : setTimeout(() => this.#abort(timedOut), limitMs);
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Stops the timer and detaches from the parents. */
  clear(): void {
    clearTimeout(this.#timer);
    for (const leave of this.#leave) leave?.();
  }

  /** What `promise` comes to, or a rejection with the reason when the signal aborts before. For one promise. */
  unlessOver<T>(promise: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      this.#giveUp = reject;
      if (this.signal.aborted) reject(this.signal.reason as Error);
      promise.then(resolve, reject);
    });
  }

  #abort(reason: unknown): void {
    this.#controller.abort(reason);
    this.#giveUp?.(reason);
  }
}
