import { onAbort } from '../scope/on-abort.ts';

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
  const leave = parents.map((parent) => parent && onAbort(parent, () => controller.abort(parent.reason)));
  const timer = limitMs === undefined ? undefined : setTimeout(() => controller.abort(timedOut), limitMs);
  return {
    signal: controller.signal,
    clear: () => {
      clearTimeout(timer);
      for (const each of leave) each?.();
    },
  };
}
