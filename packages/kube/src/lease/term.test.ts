import { describe, expect, it } from 'vitest';
import { createManualClock } from '../testing/manual-clock.ts';
import { beginTerm, momentOf } from './term.ts';

function setup() {
  const clock = createManualClock();
  const term = beginTerm(clock, 10_000, 'ns/lease', momentOf(clock));
  return { clock, term };
}

describe('term', () => {
  it('ends when it was not renewed in time, and says so', async () => {
    const { clock, term } = setup();
    await clock.advance(9_999);
    expect(term.isCurrent()).toBe(true);
    expect(term.signal.aborted).toBe(false);

    await clock.advance(1);
    expect(term.isCurrent()).toBe(false);
    expect(term.signal.reason).toMatchObject({ code: 'KUBE_LEADERSHIP_LOST', object: 'ns/lease' });
    expect(term.lost.reason).toBe(term.signal.reason);
    expect(clock.timers).toBe(0);
  });

  it('counts a renewal from when its request was sent, not from its answer', async () => {
    const { clock, term } = setup();
    await clock.advance(2_000);
    const sentAt = momentOf(clock);
    await clock.advance(4_000);
    term.renewed(sentAt);

    await clock.advance(5_999);
    expect(term.isCurrent()).toBe(true);
    await clock.advance(1);
    expect(term.lost.aborted).toBe(true);
  });

  it('counts time from the sending also for the request that took the lease', async () => {
    const clock = createManualClock();
    const sentAt = momentOf(clock);
    await clock.advance(4_000);
    const term = beginTerm(clock, 10_000, 'ns/lease', sentAt);

    await clock.advance(6_000);
    expect(term.lost.aborted).toBe(true);
  });

  it('is not current any more at once when the wall clock shows that the machine slept', async () => {
    const { clock, term } = setup();
    await clock.advance(1_000);

    clock.jump(60_000);
    expect(term.isCurrent()).toBe(false);
    expect(term.sinceRenewalMs()).toBe(61_000);
  });

  it('is not prolonged when the wall clock is set back', async () => {
    const { clock, term } = setup();
    clock.jump(-3_600_000);

    await clock.advance(10_000);
    expect(term.lost.aborted).toBe(true);
  });

  it('ends the work on a stop but stays current, so that writes under way are covered', async () => {
    const { clock, term } = setup();
    const reason = new Error('SIGTERM');

    term.stop(reason);
    expect(term.signal.reason).toBe(reason);
    expect(term.lost.aborted).toBe(false);
    expect(term.isCurrent()).toBe(true);
    await clock.advance(10_000);
    expect(term.lost.aborted).toBe(true);
  });

  it('does not come back once lost', async () => {
    const { clock, term } = setup();
    term.lose('another holds it');
    term.lose('and again');
    term.renewed(momentOf(clock));

    expect(term.isCurrent()).toBe(false);
    expect(term.lost.reason).toMatchObject({ message: expect.stringContaining('another holds it') });
    expect(clock.timers).toBe(0);
  });

  it('leaves no timer when closed', () => {
    const { clock, term } = setup();

    term.close();
    expect(clock.timers).toBe(0);
  });
});
