import type { Clock } from '../clock/clock.ts';
import { type HeapNode, createHeap } from '../queue/heap.ts';

/** A clock for tests: time passes only when told to. */
export interface ManualClock extends Clock {
  /**
   * Lets `ms` pass. Timers fire in order of their time; after each one, and at the end, everything that promises make
   * runnable has run.
   */
  advance(ms: number): Promise<void>;
  /** Moves the wall clock alone, as an administrator or a time service would. */
  jump(ms: number): void;
  /** Number of timers waiting. */
  readonly timers: number;
}

/** A manual clock that starts at the given wall time. */
export function createManualClock(start: Date = new Date('2026-01-01T00:00:00Z')): ManualClock {
  const timers = createHeap<Timer>((a, b) => (a.at === b.at ? a.sequence < b.sequence : a.at < b.at));
  let now = 0;
  let wallOffset = start.getTime();
  let sequence = 0;

  return {
    now: () => now,
    date: () => new Date(wallOffset + now),
    after: (ms, callback) => {
      const timer: Timer = { at: now + Math.max(0, ms), sequence: sequence++, callback };
      timer.node = timers.push(timer);
      return () => drop(timer);
    },
    advance: async (ms) => {
      const end = now + ms;
      await promisesToRun();
      for (let timer = timers.peek(); timer !== undefined && timer.at <= end; timer = timers.peek()) {
        now = timer.at;
        drop(timer);
        timer.callback();
        await promisesToRun();
      }
      now = end;
    },
    jump: (ms) => {
      wallOffset += ms;
    },
    get timers() {
      return timers.size;
    },
  };

  function drop(timer: Timer): void {
    if (timer.node === undefined) return;
    timers.remove(timer.node);
    timer.node = undefined;
  }
}

interface Timer {
  readonly at: number;
  readonly sequence: number;
  readonly callback: () => void;
  node?: HeapNode<Timer>;
}

function promisesToRun(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
