import { setTimeout as delay } from 'node:timers/promises';

import { KitError } from './kit-error.ts';

/** How long and how often {@link eventually} looks. */
export interface EventuallyOptions {
  /** What is awaited, for the error message: "namespace demo is gone". */
  readonly what: string;
  /** Deadline in milliseconds. Default 15 000. */
  readonly withinMs?: number;
  /** Pause between two looks in milliseconds. Default 50. */
  readonly everyMs?: number;
  /** Stops waiting early; the promise then rejects with the signal's reason. */
  readonly signal?: AbortSignal;
}

/**
 * Looks until `observe` returns something other than `undefined` or `false`, and returns that.
 * An error thrown by `observe` counts as "not yet" and becomes the cause of the timeout error.
 */
export async function eventually<T>(
  observe: () => Promise<T | undefined | false> | T | undefined | false,
  options: EventuallyOptions,
): Promise<T> {
  const { what, withinMs = 15_000, everyMs = 50, signal } = options;
  const deadline = performance.now() + withinMs;
  for (;;) {
    signal?.throwIfAborted();
    const seen = await look(observe);
    if ('value' in seen) return seen.value;
    if (performance.now() >= deadline) {
      throw new KitError('KLUTCH_KIT_TIMEOUT', `not observed within ${withinMs} ms: ${what}`, { cause: seen.error });
    }
    await delay(everyMs, undefined, { signal });
  }
}

async function look<T>(
  observe: () => Promise<T | undefined | false> | T | undefined | false,
): Promise<{ value: T } | { error?: unknown }> {
  try {
    const value = await observe();
    return value === undefined || value === false ? {} : { value };
  } catch (error) {
    return { error };
  }
}
