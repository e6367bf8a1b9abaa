import { type Clock, systemClock } from '../clock/clock.ts';
import { limitTime } from '../clock/limit-time.ts';

/** Something that can be well or not. */
export interface HealthCheck {
  /** Shown to whoever asks; unique among the checks of an endpoint. */
  readonly name: string;
  /** Throws or rejects when it is not well; the message says why and holds no secret. */
  readonly check: (signal: AbortSignal) => Promise<void> | void;
}

export interface CheckResult {
  readonly name: string;
  /** Why the check failed; undefined when all is well. */
  readonly failure?: string;
}

/** Runs all checks at once. One that does not end within `limitMs` has failed; none can make this reject. */
export function runChecks(
  checks: readonly HealthCheck[],
  limitMs: number,
  clock: Clock = systemClock,
): Promise<CheckResult[]> {
  return Promise.all(checks.map((check) => runCheck(check, limitMs, clock)));
}

async function runCheck({ name, check }: HealthCheck, limitMs: number, clock: Clock): Promise<CheckResult> {
  try {
    await limitTime(clock, limitMs, async (signal) => check(signal));
    return { name };
  } catch (thrown) {
    return { name, failure: thrown instanceof Error ? thrown.message : 'failed without an error' };
  }
}
