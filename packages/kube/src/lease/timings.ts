/** How long a lease lasts and how often it is renewed. The defaults are those of Kubernetes' own components. */
export interface LeaseTimings {
  /** How long others wait after the last renewal they saw before they take the lease; written as whole seconds. Default 15 s. */
  readonly leaseDurationMs?: number;
  /** How long a leader goes on without a successful renewal. Default 10 s. */
  readonly renewDeadlineMs?: number;
  /** Time between two tries to take or renew the lease. Default 2 s. */
  readonly retryPeriodMs?: number;
}

/** Fills in the defaults. Throws when the times do not leave a leader time to stop before others may take over. */
export function resolveTimings(timings: LeaseTimings = {}): Required<LeaseTimings> {
  const { leaseDurationMs = 15_000, renewDeadlineMs = 10_000, retryPeriodMs = 2_000 } = timings;
  if (!(retryPeriodMs > 0)) throw new RangeError(`retryPeriodMs must be positive, not ${retryPeriodMs}`);
  if (!(renewDeadlineMs > retryPeriodMs * jitterFactor)) {
    throw new RangeError(
      `renewDeadlineMs (${renewDeadlineMs}) must be more than ${jitterFactor} times retryPeriodMs (${retryPeriodMs})`,
    );
  }
  if (!(leaseDurationMs > renewDeadlineMs)) {
    throw new RangeError(
      `leaseDurationMs (${leaseDurationMs}) must be more than renewDeadlineMs (${renewDeadlineMs}): a leader must stop before its lease ends`,
    );
  }
  return { leaseDurationMs, renewDeadlineMs, retryPeriodMs };
}

/** Candidates wait between one retry period and this many more, so that they do not all ask at once. */
export const jitterFactor = 1.2;
