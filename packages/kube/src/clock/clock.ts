import { onAbort } from '../scope/on-abort.ts';

/** Time and timers, passed in wherever a decision depends on them. */
export interface Clock {
  /** Milliseconds on a scale that never jumps; only differences mean something. */
  now(): number;
  /** The wall clock, for timestamps other parties read. May jump. */
  date(): Date;
  /** Calls back once after `ms`; the returned function cancels. Delays of any length are honoured. */
  after(ms: number, callback: () => void): () => void;
}

/** The clocks and timers of this process. */
export const systemClock: Clock = {
  now: () => performance.now(),
  date: () => new Date(),
  after: (ms, callback) => {
    let timer: NodeJS.Timeout;
    const arm = (left: number) => {
      // Node fires timers beyond 2^31-1 ms at once, so a longer delay is walked in steps.
      if (left <= longestTimerMs) timer = setTimeout(callback, left);
      else timer = setTimeout(() => arm(left - longestTimerMs), longestTimerMs);
    };
    arm(ms);
    return () => clearTimeout(timer);
  },
};

/** Resolves after `ms`, or as soon as the signal aborts; never rejects. */
export function pause(clock: Clock, ms: number, signal?: AbortSignal): Promise<void> {
  if (signal?.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const finish = () => {
      cancel();
      leave?.();
      resolve();
    };
    const cancel = clock.after(ms, finish);
    const leave = signal && onAbort(signal, finish);
  });
}

const longestTimerMs = 2 ** 31 - 1;
