import { describe, expect, it } from 'vitest';
import { silentLogger } from '../log/logger.ts';
import { createManualClock } from '../testing/manual-clock.ts';
import { startAttempt } from './attempt.ts';
import type { Reconcile } from './reconcile.ts';

const context = { log: silentLogger, reconcileId: 'r1', attempt: 1 };

function start(reconcile: Reconcile, timeoutMs?: number) {
  const clock = createManualClock();
  return { clock, attempt: startAttempt(reconcile, 'ns/a', context, { clock, timeoutMs, patienceMs: 50 }) };
}

describe('the signal of an attempt', () => {
  it('is one, however often it is asked for', async () => {
    const { attempt } = start((_, given) => {
      expect(given.signal).toBe(given.signal);
    });
    expect(await attempt.ended).toEqual({ outcome: 'success' });
  });

  it('has the reason of an interruption that came before anybody asked for it', async () => {
    const reason = new Error('the controller stops');
    let goOn = () => {};
    const waiting = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    const { attempt } = start(async (_, given) => {
      await waiting;
      given.signal.throwIfAborted();
    });
    attempt.interrupt(reason);
    goOn();
    expect(await attempt.ended).toEqual({ outcome: 'interrupted', error: reason });
  });

  it('aborts when the time is over', async () => {
    const { clock, attempt } = start(async (_, { signal }) => {
      await new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)));
    }, 100);
    await clock.advance(100);
    expect(await attempt.ended).toMatchObject({
      outcome: 'timeout',
      error: { message: expect.stringContaining('100 ms') as string },
    });
  });
});

describe('an attempt that was interrupted', () => {
  it('is overdue when it does not end, also one that never asked for its signal', async () => {
    const { clock, attempt } = start(() => new Promise(() => {}));
    attempt.interrupt(new Error('the controller stops'));
    await clock.advance(50);
    expect(await attempt.isOverdue).toBeUndefined();
  });
});
