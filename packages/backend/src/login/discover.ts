import { type Backoff, backoffDelay, type Clock, type Logger, pause } from '@klutch/kube';

const backoff: Backoff = { baseMs: 250, capMs: 10_000 };

/** Asks an issuer to describe itself until it does; undefined when the signal came first. Writes a line when it begins to fail and when it is found. */
export async function discoverUntilFound<T>(search: {
  readonly discover: () => Promise<T>;
  readonly signal: AbortSignal;
  readonly log: Logger;
  readonly clock: Clock;
  readonly issuer: string;
}): Promise<T | undefined> {
  const { discover, signal, log, clock, issuer } = search;
  for (let attempt = 1; !signal.aborted; attempt += 1) {
    try {
      const found = await discover();
      log.info({ issuer, attempt }, 'found the identity provider');
      return found;
    } catch (error) {
      if (attempt === 1)
        log.warn({ issuer, reason: reasonOf(error) }, 'identity provider does not answer; trying again');
    }
    await pause(clock, backoffDelay(attempt, backoff, Math.random), signal);
  }
  return undefined;
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  const inner = error.cause instanceof Error ? ` (${error.cause.message})` : '';
  return `${error.message}${inner}`;
}
