import { silentLogger } from '@klutch/kube';
import { createManualClock, eventually } from '@klutch/kube/testing';
import { describe, expect, it } from 'vitest';
import { keepUnit } from './keep-unit.ts';
import type { Unit } from './parts.ts';

interface Settings {
  readonly binding: string;
  readonly policy?: string;
}

/** A keeper of units that do what the test says. */
function open({ mayUseUnseen = true } = {}) {
  const stop = new AbortController();
  const clock = createManualClock();
  const units: { settings: Settings[]; fail(): void; see(): void; isStopped: boolean }[] = [];
  const start = (settings: Settings, signal: AbortSignal): Unit<Settings> => {
    let fail = () => {};
    let see = () => {};
    const ready = new Promise<void>((resolve) => {
      see = resolve;
    });
    const stopped = new Promise<void>((resolve, reject) => {
      fail = () => reject(new Error('broken'));
      signal.addEventListener('abort', () => resolve(), { once: true });
    });
    const unit = { settings: [settings], fail, see, isStopped: false };
    signal.addEventListener('abort', () => {
      unit.isStopped = true;
    });
    units.push(unit);
    return {
      ready,
      stopped,
      update: (changed) => unit.settings.push(changed),
      stillUses: (namespace) => namespace === 'used',
    };
  };
  const ends = { count: 0 };
  const keeper = keepUnit<Settings>({
    start,
    needsRestart: (before, wanted) => before.binding !== wanted.binding,
    isOver: () => {
      ends.count += 1;
    },
    mayUseUnseen,
    clock,
    log: silentLogger,
    signal: stop.signal,
  });
  return { keeper, units, stop, clock, ends };
}

const count = (units: readonly unknown[], wanted: number) => eventually(() => units.length === wanted);

describe('a unit that is kept', () => {
  it('starts, changes and stops as it is told, and nothing happens when nothing changes', async () => {
    const { keeper, units, stop } = open();
    keeper.set({ binding: 'a' });
    await count(units, 1);
    keeper.set({ binding: 'a' });
    keeper.set({ binding: 'a', policy: 'Delete' });

    expect(units[0]?.settings).toEqual([{ binding: 'a' }, { binding: 'a', policy: 'Delete' }]);
    keeper.set(undefined);
    await eventually(() => units[0]?.isStopped);
    expect(units).toHaveLength(1);
    stop.abort();
    await keeper.stopped;
  });

  it('KON-46 is restarted only when it cannot follow, and never runs twice at a time', async () => {
    const { keeper, units, stop } = open();
    keeper.set({ binding: 'a' });
    await count(units, 1);
    keeper.set({ binding: 'b' });
    expect(units[0]?.isStopped).toBe(true);
    await count(units, 2);

    expect(units[1]?.settings).toEqual([{ binding: 'b' }]);
    stop.abort();
    await keeper.stopped;
    expect(units.every(({ isStopped }) => isStopped)).toBe(true);
  });

  it('is over when it must not run and nothing of it is left, and can begin anew', async () => {
    const { keeper, units, stop, ends } = open();
    keeper.set({ binding: 'a' });
    await count(units, 1);
    keeper.set({ binding: 'b' });
    await count(units, 2);
    expect(ends.count).toBe(0);
    keeper.set(undefined);
    await keeper.stopped;
    expect([units[1]?.isStopped, ends.count]).toEqual([true, 1]);

    keeper.set({ binding: 'a' });
    await count(units, 3);
    stop.abort();
    await keeper.stopped;
  });

  it('comes back when it fails, later and later', async () => {
    const { keeper, units, stop, clock } = open();
    keeper.set({ binding: 'a' });
    await count(units, 1);
    units[0]?.fail();
    await eventually(() => clock.timers > 0);
    expect(units).toHaveLength(1);

    await clock.advance(500);
    await count(units, 2);
    stop.abort();
    await keeper.stopped;
  });

  it('may use everything until it has seen its objects', async () => {
    const { keeper, units, stop } = open();
    expect(keeper.mayUse('other')).toBe(false);
    keeper.set({ binding: 'a' });
    expect(keeper.mayUse('other')).toBe(true);
    await count(units, 1);

    units[0]?.see();
    await eventually(() => !keeper.mayUse('other'));
    expect(keeper.mayUse('used')).toBe(true);
    stop.abort();
    await keeper.stopped;
  });

  it('does not hold up anything before, where that was said', () => {
    const { keeper, stop } = open({ mayUseUnseen: false });
    keeper.set({ binding: 'a' });

    expect(keeper.mayUse('other')).toBe(false);
    stop.abort();
  });
});
