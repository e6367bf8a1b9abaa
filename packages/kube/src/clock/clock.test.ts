import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { pause, systemClock } from './clock.ts';
import { createManualClock } from '../testing/manual-clock.ts';

describe('system clock', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('calls back once after the delay', () => {
    const callback = vi.fn();
    systemClock.after(50, callback);

    vi.advanceTimersByTime(49);
    expect(callback).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1_000);
    expect(callback).toHaveBeenCalledTimes(1);
  });

  it('does not call back after being cancelled', () => {
    const callback = vi.fn();
    const cancel = systemClock.after(50, callback);

    cancel();
    vi.advanceTimersByTime(1_000);
    expect(callback).not.toHaveBeenCalled();
  });

  it('honours a delay longer than a Node timer can be, and its cancelling on the way', () => {
    const days = 24 * 3_600_000;
    const kept = vi.fn();
    const cancelled = vi.fn();
    systemClock.after(30 * days, kept);
    const cancel = systemClock.after(30 * days, cancelled);

    vi.advanceTimersByTime(29 * days);
    expect(kept).not.toHaveBeenCalled();
    cancel();
    vi.advanceTimersByTime(2 * days);
    expect(kept).toHaveBeenCalledTimes(1);
    expect(cancelled).not.toHaveBeenCalled();
  });
});

describe('pause', () => {
  it('lasts as long as asked', async () => {
    const clock = createManualClock();
    const over = vi.fn();
    const paused = pause(clock, 100).then(over);

    await clock.advance(99);
    expect(over).not.toHaveBeenCalled();
    await clock.advance(1);
    await paused;
    expect(over).toHaveBeenCalled();
  });

  it('ends early and leaves no timer when the signal aborts', async () => {
    const clock = createManualClock();
    const stop = new AbortController();
    const paused = pause(clock, 100, stop.signal);

    stop.abort();
    await paused;
    expect(clock.timers).toBe(0);
  });

  it('does not begin when the signal is aborted already', async () => {
    const clock = createManualClock();

    await pause(clock, 100, AbortSignal.abort());
    expect(clock.timers).toBe(0);
  });
});

describe('manual clock', () => {
  it('fires timers in the order of their time, also those set by timers', async () => {
    const clock = createManualClock();
    const fired: string[] = [];
    clock.after(20, () => fired.push(`b at ${clock.now()}`));
    clock.after(10, () => {
      fired.push(`a at ${clock.now()}`);
      clock.after(5, () => fired.push(`c at ${clock.now()}`));
    });

    await clock.advance(100);
    expect(fired).toEqual(['a at 10', 'c at 15', 'b at 20']);
    expect(clock.now()).toBe(100);
  });

  it('moves the wall clock with time and by jumps', async () => {
    const clock = createManualClock(new Date('2026-01-01T00:00:00Z'));

    await clock.advance(1_000);
    clock.jump(60_000);
    expect(clock.date().toISOString()).toBe('2026-01-01T00:01:01.000Z');
    expect(clock.now()).toBe(1_000);
  });
});
