import { describe, expect, it } from 'vitest';
import { createManualClock } from '../testing/manual-clock.ts';
import { runChecks } from './check.ts';

describe('running checks', () => {
  it('tells for each check whether it is well, in their order', async () => {
    const clock = createManualClock();
    const results = await runChecks(
      [
        { name: 'sync', check: () => {} },
        { name: 'async', check: async () => {} },
        { name: 'rejects', check: () => Promise.reject(new Error('not synced')) },
        {
          name: 'throws',
          check: () => {
            throw new Error('lease expired');
          },
        },
        { name: 'odd', check: () => Promise.reject('text') },
      ],
      100,
      clock,
    );

    expect(results).toEqual([
      { name: 'sync' },
      { name: 'async' },
      { name: 'rejects', failure: 'not synced' },
      { name: 'throws', failure: 'lease expired' },
      { name: 'odd', failure: 'failed without an error' },
    ]);
    expect(clock.timers).toBe(0);
  });

  it('does not wait longer than allowed for a check, and tells it so', async () => {
    const clock = createManualClock();
    let seen: AbortSignal | undefined;
    const stuck = (signal: AbortSignal) => {
      seen = signal;
      return new Promise<void>(() => {});
    };
    const running = runChecks([{ name: 'stuck', check: stuck }], 100, clock);

    await clock.advance(99);
    expect(seen?.aborted).toBe(false);
    await clock.advance(1);
    expect(await running).toEqual([{ name: 'stuck', failure: 'no answer within 100 ms' }]);
    expect(seen?.aborted).toBe(true);
  });
});
