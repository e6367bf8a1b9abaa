import { pause, systemClock } from '@klutch/kube';

export interface WaitOptions {
  readonly withinMs: number;
  readonly signal?: AbortSignal;
}

const everyMs = 250;

/**
 * Looks again and again until there is something to see, and yields it; undefined when time is up. A look that fails
 * ends the waiting.
 */
export async function waitUntil<T>(
  look: () => Promise<T | undefined>,
  { withinMs, signal }: WaitOptions,
): Promise<T | undefined> {
  const end = systemClock.now() + withinMs;
  for (;;) {
    const seen = await look();
    if (seen !== undefined) return seen;
    if (systemClock.now() >= end) return undefined;
    await pause(systemClock, everyMs, signal);
    signal?.throwIfAborted();
  }
}
