import { KubeError } from '@klutch/kube';
import { createManualClock } from '@klutch/kube/testing';
import { describe, expect, it } from 'vitest';
import { createRecovery } from './recovery.ts';

const unreachable = new KubeError('KUBE_UNREACHABLE', 'away');

function setup() {
  const clock = createManualClock();
  const retried: string[] = [];
  const state: { problem: KubeError | undefined } = { problem: undefined };
  const recovery = createRecovery({ clock, problem: () => state.problem, retry: (key) => retried.push(key) });
  return { clock, retried, state, recovery };
}

describe('keys that failed during an outage', () => {
  it('are tried as soon as the cluster can be followed again', async () => {
    const { clock, retried, state, recovery } = setup();
    state.problem = unreachable;
    recovery.failed('a', unreachable);
    recovery.failed('b', unreachable);
    await clock.advance(5_000);
    expect(retried).toEqual([]);
    state.problem = undefined;
    await clock.advance(500);
    expect(retried).toEqual(['a', 'b']);
    expect(clock.timers).toBe(0);
  });

  it('keep their back-off while the cluster can be followed all the time', async () => {
    const { clock, retried, recovery } = setup();
    recovery.failed('a', unreachable);
    await clock.advance(10_000);
    expect(retried).toEqual([]);
    recovery.stop();
    expect(clock.timers).toBe(0);
  });

  it('are forgotten when they work', async () => {
    const { clock, retried, state, recovery } = setup();
    recovery.failed('a', unreachable);
    recovery.failed('b', unreachable);
    recovery.worked('a');
    await clock.advance(500);
    expect(clock.timers).toBe(1);
    recovery.worked('b');
    expect(clock.timers).toBe(0);

    state.problem = unreachable;
    recovery.failed('c', unreachable);
    await clock.advance(500);
    state.problem = undefined;
    await clock.advance(500);
    expect(retried).toEqual(['c']);
  });

  it('are only those that failed because of it', async () => {
    const { clock, recovery } = setup();
    recovery.failed('a', new KubeError('KUBE_CONFLICT', 'changed'));
    recovery.failed('b', new Error('bug'));
    await clock.advance(0);
    expect(clock.timers).toBe(0);
  });
});
