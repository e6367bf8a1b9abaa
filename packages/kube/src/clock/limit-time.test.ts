import { describe, expect, it } from 'vitest';
import { createManualClock } from '../testing/manual-clock.ts';
import { limitTime } from './limit-time.ts';

describe('time limit', () => {
  it('passes on an answer in time and cleans up', async () => {
    const clock = createManualClock();

    expect(await limitTime(clock, 100, async () => 'answer')).toBe('answer');
    expect(clock.timers).toBe(0);
  });

  it('passes on an error and cleans up', async () => {
    const clock = createManualClock();

    await expect(limitTime(clock, 100, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(clock.timers).toBe(0);
  });

  it('gives up on a call that takes too long, whether it listens to its signal or not', async () => {
    const clock = createManualClock();
    let seen: AbortSignal | undefined;
    const answer = limitTime(clock, 100, (signal) => {
      seen = signal;
      return new Promise(() => {});
    });
    const failed = expect(answer).rejects.toMatchObject({ code: 'KUBE_TIMEOUT' });

    await clock.advance(99);
    expect(seen?.aborted).toBe(false);
    await clock.advance(1);
    await failed;
    expect(seen?.aborted).toBe(true);
  });

  it('gives up when the parent aborts', async () => {
    const clock = createManualClock();
    const parent = new AbortController();
    const answer = limitTime(clock, 100, () => new Promise(() => {}), parent.signal);

    parent.abort();
    await expect(answer).rejects.toMatchObject({ code: 'KUBE_ABORTED' });
    expect(clock.timers).toBe(0);
  });

  it('gives up at once when the parent has aborted before', async () => {
    const clock = createManualClock();
    const answer = limitTime(clock, 100, () => new Promise(() => {}), AbortSignal.abort());

    await expect(answer).rejects.toMatchObject({ code: 'KUBE_ABORTED' });
  });
});
