import { type Clock, systemClock } from '@klutch/kube';
import { eventually } from '@klutch/kube/testing';

/** A clock that runs as usual, and that can be set ahead: timers that are due then fire at once. */
export interface HurryingClock extends Clock {
  skip(ms: number): void;
  /** Resolves when somebody waits for so many milliseconds. */
  waitsFor(ms: number): Promise<void>;
}

export function hurryingClock(): HurryingClock {
  const timers = new Set<{ readonly at: number; readonly ms: number; readonly fire: () => void }>();
  let offset = 0;
  const now = () => systemClock.now() + offset;
  return {
    now,
    date: () => new Date(systemClock.date().getTime() + offset),
    after: (ms, callback) => {
      const end = () => {
        timers.delete(timer);
        cancel();
      };
      const fire = () => {
        end();
        callback();
      };
      const timer = { at: now() + ms, ms, fire };
      const cancel = systemClock.after(ms, fire);
      timers.add(timer);
      return end;
    },
    skip: (ms) => {
      offset += ms;
      const due = [...timers].filter(({ at }) => at <= now()).sort((a, b) => a.at - b.at);
      for (const { fire } of due) fire();
    },
    waitsFor: async (ms) => {
      await eventually(() => [...timers].some((timer) => timer.ms === ms), { withinMs: 60_000, everyMs: 20 });
    },
  };
}
