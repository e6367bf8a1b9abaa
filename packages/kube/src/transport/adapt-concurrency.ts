import { type Clock, systemClock } from '../clock/clock.ts';
import type { Interceptor } from './types.ts';

export interface ConcurrencyOptions {
  /** Calls in flight at least. Default 2. */
  readonly least?: number;
  /** Calls in flight at most, and at the start. Default 32. */
  readonly most?: number;
  readonly clock?: Clock;
}

/** How many calls may be in flight, and what is known of the server's pace. */
export interface Pace {
  /** Not rounded: it grows by fractions. */
  readonly limit: number;
  /** Milliseconds a call takes when the server is at ease; grows slowly, so that old calm is forgotten in time. */
  readonly easyMs: number;
  /** When the limit was last lowered. */
  readonly loweredAt: number;
}

export interface Outcome {
  /** The server said that it has too much to do (429, 503, 504), or did not answer. */
  readonly overloaded: boolean;
  readonly tookMs: number;
  readonly now: number;
}

/**
 * Pure: the pace after a call. Overload lowers the limit by a third; a call that took many times what calls take at ease,
 * by a tenth; either at most once in 500 ms, since the calls in flight at that moment all report the same. Anything else
 * raises it by a fraction, by one for each round of calls.
 */
export function nextPace(
  pace: Pace,
  { overloaded, tookMs, now }: Outcome,
  { least, most }: { readonly least: number; readonly most: number },
): Pace {
  const easyMs = Math.min(tookMs, pace.easyMs * 1.002);
  const slow = tookMs > Math.max(500, easyMs * 20);
  if (!overloaded && !slow) return { ...pace, easyMs, limit: Math.min(most, pace.limit + 1 / pace.limit) };
  if (now - pace.loweredAt < 500) return { ...pace, easyMs: overloaded ? pace.easyMs : easyMs };
  const limit = Math.max(least, pace.limit * (overloaded ? 2 / 3 : 0.9));
  return { limit, easyMs: overloaded ? pace.easyMs : easyMs, loweredAt: now };
}

/** Holds calls back while the server has as many in flight as it can bear, which it shows by how it answers. Streams pass. */
export function adaptConcurrency(options: ConcurrencyOptions = {}): Interceptor {
  const { least = 2, most = 32, clock = systemClock } = options;
  let pace: Pace = { limit: most, easyMs: Number.MAX_SAFE_INTEGER, loweredAt: Number.NEGATIVE_INFINITY };
  let inFlight = 0;
  const waiting = new Set<() => void>();

  function admit(): void {
    for (const enter of waiting) {
      if (inFlight >= Math.floor(pace.limit)) return;
      waiting.delete(enter);
      inFlight += 1;
      enter();
    }
  }

  function turn(signal: AbortSignal | undefined): Promise<void> {
    if (inFlight < Math.floor(pace.limit)) {
      inFlight += 1;
      return Promise.resolve();
    }
    return new Promise((resolve, reject) => {
      const enter = () => {
        signal?.removeEventListener('abort', leave);
        resolve();
      };
      const leave = () => {
        waiting.delete(enter);
        reject(signal?.reason as Error);
      };
      waiting.add(enter);
      signal?.addEventListener('abort', leave, { once: true });
    });
  }

  return (next) => async (request) => {
    if (request.mode === 'stream') return next(request);
    request.signal?.throwIfAborted();
    await turn(request.signal);
    const began = clock.now();
    let overloaded = true;
    try {
      const response = await next(request);
      overloaded = [429, 503, 504].includes(response.status);
      return response;
    } catch (error) {
      // Whoever gave up says nothing about the server.
      if (request.signal?.aborted) overloaded = false;
      throw error;
    } finally {
      inFlight -= 1;
      const now = clock.now();
      if (!request.signal?.aborted) pace = nextPace(pace, { overloaded, tookMs: now - began, now }, { least, most });
      admit();
    }
  };
}
