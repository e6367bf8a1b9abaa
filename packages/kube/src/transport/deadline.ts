import { setMaxListeners } from 'node:events';

/** A signal that aborts with its parents or after a time, and can be let go of. */
export interface Deadline {
  readonly signal: AbortSignal;
  /** Stops the timer and detaches from the parents. */
  readonly clear: () => void;
}

/** Reason with which a {@link deadline} aborts when its time is over. */
export const timedOut = Symbol('timed out');

/**
 * Combines signals and a time limit. `AbortSignal.any` would do the same but keeps every derived signal alive as long
 * as its parents on Node 20; a component's root signal lives as long as the process.
 */
export function deadline(parents: readonly (AbortSignal | undefined)[], limitMs: number | undefined): Deadline {
  const controller = new AbortController();
  const onAbort = (event: Event) => controller.abort((event.target as AbortSignal).reason);
  const present = parents.filter((parent) => parent !== undefined);
  for (const parent of present) {
    if (parent.aborted) controller.abort(parent.reason);
    // Every request in flight listens to the signal of its component; a warning at eleven would be noise.
    setMaxListeners(0, parent);
    parent.addEventListener('abort', onAbort, { once: true });
  }
  const timer = limitMs === undefined ? undefined : setTimeout(() => controller.abort(timedOut), limitMs);
  return {
    signal: controller.signal,
    clear: () => {
      clearTimeout(timer);
      for (const parent of present) parent.removeEventListener('abort', onAbort);
    },
  };
}
