import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { refreshTime } from './refresh-time.ts';

const MINUTE = 60_000;

describe('refreshTime', () => {
  it.each([
    ['an hour', 60 * MINUTE, 59 * MINUTE],
    ['ten minutes', 10 * MINUTE, 9 * MINUTE],
    ['a minute', MINUTE, 54_000],
    ['nothing', 0, 0],
    ['an expired lifetime', -MINUTE, -MINUTE],
  ])('renews credentials with %s left in time', (_, left, expected) => {
    expect(refreshTime(0, left)).toBe(expected);
  });

  it('asks a plugin that repeats itself a few times only, however long the credentials last', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 365 * 24 * 60 * MINUTE }), (expiresAt) => {
        let now = 0;
        let runs = 0;
        while (expiresAt - now >= 1) {
          now = refreshTime(now, expiresAt);
          runs += 1;
        }
        expect(runs).toBeLessThan(15);
      }),
    );
  });
});
