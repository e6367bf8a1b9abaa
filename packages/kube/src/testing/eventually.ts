import { setTimeout as sleep } from 'node:timers/promises';

export interface EventuallyOptions {
  /** Milliseconds until the wait fails. Default 10 s. */
  readonly withinMs?: number;
  /** Milliseconds between two looks. Default 5. */
  readonly everyMs?: number;
}

/**
 * Waits until `look` returns something other than false or undefined without throwing, and returns it. Fails with the
 * last thing `look` threw when time is up.
 */
export async function eventually<T>(
  look: () => T | false | undefined | Promise<T | false | undefined>,
  options: EventuallyOptions = {},
): Promise<T> {
  const until = performance.now() + (options.withinMs ?? 10_000);
  for (;;) {
    let last: unknown;
    try {
      const seen = await look();
      if (seen !== false && seen !== undefined) return seen;
    } catch (error) {
      last = error;
    }
    if (performance.now() > until)
      throw last ?? new Error(`Did not become true within ${options.withinMs ?? 10_000} ms.`);
    await sleep(options.everyMs ?? 5);
  }
}
