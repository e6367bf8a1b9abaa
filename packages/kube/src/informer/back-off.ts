/** Grows from one failure to the next and starts over after a success. */
export interface BackOff {
  /** Milliseconds to wait after the next failure in a row, with jitter. */
  next(): number;
  reset(): void;
}

export interface BackOffOptions {
  /** Wait after the first failure, in milliseconds. Default 200. */
  readonly initialMs?: number;
  /** Longest wait, in milliseconds. Default 30 s. */
  readonly maxMs?: number;
  /** Source of jitter in [0, 1). */
  readonly random?: () => number;
}

/** Doubles from failure to failure; between half and all of the nominal wait, so that clients do not march in step. */
export function createBackOff({ initialMs = 200, maxMs = 30_000, random = Math.random }: BackOffOptions = {}): BackOff {
  let failures = 0;
  return {
    next: () => {
      const nominal = Math.min(maxMs, initialMs * 2 ** failures);
      failures += 1;
      return nominal * (0.5 + random() / 2);
    },
    reset: () => {
      failures = 0;
    },
  };
}
