/** How waiting times grow from one failure of a key to the next. */
export interface Backoff {
  /** Wait after the first failure, in milliseconds. Default 10. */
  readonly baseMs?: number;
  /** Longest wait, in milliseconds. Default 2 minutes. */
  readonly capMs?: number;
  /** Growth per failure. Default 2. */
  readonly factor?: number;
  /** Share of the wait, from 0 to 1, that chance may take off, so that keys which failed together spread. Default 0.25. */
  readonly jitter?: number;
}

/** Milliseconds to wait after the given number of failures in a row (1 or more); never above the cap. */
export function backoffDelay(
  failures: number,
  { baseMs = 10, capMs = 120_000, factor = 2, jitter = 0.25 }: Backoff,
  random: () => number,
): number {
  const nominal = Math.min(capMs, baseMs * factor ** (failures - 1));
  return nominal * (1 - jitter * random());
}
