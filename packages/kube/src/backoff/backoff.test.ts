import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { backoffDelay } from './backoff.ts';

const noChance = () => 0;

describe('back-off', () => {
  it.each([
    { failures: 1, wait: 100 },
    { failures: 2, wait: 200 },
    { failures: 3, wait: 400 },
    { failures: 7, wait: 5_000 },
    { failures: 5_000, wait: 5_000 },
  ])('waits $wait ms after $failures failures of a key that starts at 100 ms and is capped at 5 s', (row) => {
    expect(backoffDelay(row.failures, { baseMs: 100, capMs: 5_000 }, noChance)).toBe(row.wait);
  });

  it('takes off at most the given share by chance', () => {
    const nearlyOne = () => 0.999_999;

    expect(backoffDelay(1, { baseMs: 100, jitter: 0.5 }, nearlyOne)).toBeCloseTo(50, 2);
    expect(backoffDelay(1, { baseMs: 100, jitter: 0 }, nearlyOne)).toBe(100);
  });

  it('stays above nothing and at most at two minutes by default', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 10_000 }),
        fc.double({ min: 0, max: 0.999, noNaN: true }),
        (failures, chance) => {
          const wait = backoffDelay(failures, {}, () => chance);
          expect(wait).toBeGreaterThan(0);
          expect(wait).toBeLessThanOrEqual(120_000);
        },
      ),
    );
  });
});
