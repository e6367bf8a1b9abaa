import { describe, expect, it } from 'vitest';
import { resolveTimings } from './timings.ts';

describe('lease timings', () => {
  it('are those of Kubernetes unless told otherwise', () => {
    expect(resolveTimings()).toEqual({ leaseDurationMs: 15_000, renewDeadlineMs: 10_000, retryPeriodMs: 2_000 });
  });

  it.each([
    [{ leaseDurationMs: 10_000 }, 'a leader must stop before its lease ends'],
    [{ renewDeadlineMs: 2_400 }, 'must be more than 1.2 times retryPeriodMs'],
    [{ retryPeriodMs: 0 }, 'retryPeriodMs must be positive'],
    [{ retryPeriodMs: Number.NaN }, 'retryPeriodMs must be positive'],
    [{ renewDeadlineMs: Number.NaN }, 'renewDeadlineMs'],
    [{ leaseDurationMs: Number.NaN }, 'leaseDurationMs'],
  ])('refuses %j', (timings, message) => {
    expect(() => resolveTimings(timings)).toThrow(message);
  });
});
