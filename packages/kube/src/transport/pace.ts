/** Bounds of {@link Pace.limit}. */
export interface Bounds {
  readonly least: number;
  readonly most: number;
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

/** Before the first call: as many as there may be. */
export function firstPace({ most }: Bounds): Pace {
  return { limit: most, easyMs: Number.MAX_SAFE_INTEGER, loweredAt: Number.NEGATIVE_INFINITY };
}

/**
 * Pure: the pace after a call. Overload lowers the limit by a third; a call that took many times what calls take at ease,
 * by a tenth; either at most once in 500 ms, since the calls in flight at that moment all report the same. Anything else
 * raises it by a fraction, by one for each round of calls.
 */
export function nextPace(pace: Pace, { overloaded, tookMs, now }: Outcome, { least, most }: Bounds): Pace {
  const easyMs = Math.min(tookMs, pace.easyMs * 1.002);
  const slow = tookMs > Math.max(500, easyMs * 20);
  if (!overloaded && !slow) return { ...pace, easyMs, limit: Math.min(most, pace.limit + 1 / pace.limit) };
  if (now - pace.loweredAt < 500) return { ...pace, easyMs: overloaded ? pace.easyMs : easyMs };
  const limit = Math.max(least, pace.limit * (overloaded ? 2 / 3 : 0.9));
  return { limit, easyMs: overloaded ? pace.easyMs : easyMs, loweredAt: now };
}
