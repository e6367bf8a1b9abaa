import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { firstPace, nextPace, type Pace } from './pace.ts';

const bounds = { least: 2, most: 32 };
const calm: Pace = { limit: 16, easyMs: 5, loweredAt: 0 };

describe('nextPace', () => {
  it.each([
    ['a quick answer raises it by a fraction', { overloaded: false, tookMs: 5, now: 10_000 }, 16 + 1 / 16],
    ['a refusal lowers it by a third', { overloaded: true, tookMs: 1, now: 10_000 }, (16 * 2) / 3],
    ['a very slow answer lowers it by a tenth', { overloaded: false, tookMs: 900, now: 10_000 }, 14.4],
    [
      'a slow answer that is no slower than half a second is nothing',
      { overloaded: false, tookMs: 400, now: 1 },
      16.0625,
    ],
    ['refusals of the same moment count once', { overloaded: true, tookMs: 1, now: 400 }, 16],
  ])('%s', (_, outcome, limit) => {
    expect(nextPace(calm, outcome, bounds).limit).toBeCloseTo(limit);
  });

  it('stays within its bounds whatever happens', () => {
    const outcome = fc.record({ overloaded: fc.boolean(), tookMs: fc.nat(5_000), now: fc.nat(1_000_000) });
    fc.assert(
      fc.property(fc.array(outcome), (outcomes) => {
        let pace = firstPace(bounds);
        for (const next of outcomes.sort((a, b) => a.now - b.now)) {
          pace = nextPace(pace, next, bounds);
          expect(pace.limit).toBeGreaterThanOrEqual(2);
          expect(pace.limit).toBeLessThanOrEqual(32);
        }
      }),
    );
  });
});
