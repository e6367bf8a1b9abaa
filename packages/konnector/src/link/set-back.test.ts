import { type APIServiceBinding, annotations } from '@klutch/api';
import { describe, expect, it } from 'vitest';
import {
  controlPlaneSetBackByLease,
  createControlPlaneSetBackMemory,
  createSetBackMemory,
  leaseWentBack,
  remembersSetBack,
  type SeenLease,
  setBackByLease,
  setBackByOrphan,
} from './set-back.ts';

const at = (minutes: number) => new Date(Date.UTC(2026, 0, 1, 0, minutes));

interface BindingState {
  readonly orphans?: string;
  readonly reason?: string;
  readonly type?: string;
  readonly status?: 'True' | 'False';
}

function binding(state: BindingState = {}): APIServiceBinding {
  const { orphans, reason, type = 'InstancesSynced', status = 'False' } = state;
  return {
    apiVersion: 'klutch.anynines.com/v1alpha1',
    kind: 'APIServiceBinding',
    metadata: { name: 'widgets.example.org', uid: '1', annotations: orphans ? { [annotations.orphans]: orphans } : {} },
    status: {
      conditions: reason ? [{ type, status, reason, lastTransitionTime: '2026-01-01T00:00:00Z' }] : [],
    },
  };
}

describe('an app cluster that was set back', () => {
  it.each<[string, { leaseRenewed?: Date; lastHeartbeat?: Date }, boolean]>([
    ['is not one that was never heard of', {}, false],
    ['is not one with a lease and no heartbeat', { leaseRenewed: at(0) }, false],
    ['is not one whose lease is as new as its heartbeat', { leaseRenewed: at(10), lastHeartbeat: at(10) }, false],
    ['is not one whose lease is newer', { leaseRenewed: at(60), lastHeartbeat: at(10) }, false],
    ['is not one whose lease is a little older', { leaseRenewed: at(10), lastHeartbeat: at(15) }, false],
    ['has a lease from before a heartbeat that arrived', { leaseRenewed: at(10), lastHeartbeat: at(16) }, true],
    ['has no lease although a heartbeat arrived', { lastHeartbeat: at(16) }, true],
  ])('%s', (_, { leaseRenewed, lastHeartbeat }, expected) => {
    expect(setBackByLease({ leaseRenewed, lastHeartbeat }) !== undefined).toBe(expected);
  });

  const lease = (renewed: Date | undefined, version?: string): SeenLease => ({ renewed, version });

  it.each<[string, SeenLease, SeenLease, boolean]>([
    ['what was there before is found', lease(at(10)), lease(at(10)), false],
    ['nobody had renewed it', lease(undefined), lease(at(10)), false],
    ['a much older one is found', lease(at(10)), lease(at(1)), true],
    ['one of a clock that differs is found', lease(at(10)), lease(at(8)), false],
    ['its version is lower', lease(at(10), '20'), lease(at(11), '9'), true],
    ['its version is higher', lease(at(10), '9'), lease(at(11), '20'), false],
  ])('shows in a lease when %s', (_, before, now, expected) => {
    expect(leaseWentBack(before, now)).toBe(expected);
  });

  it.each<[string, Date | undefined, string | undefined, boolean]>([
    ['was made while the lease was held', at(10), '2026-01-01T00:09:59Z', false],
    ['was made after the lease was last renewed', at(10), '2026-01-01T00:10:01Z', true],
    [
      'was made in the second of that renewal, before or after',
      new Date(at(10).getTime() + 400),
      '2026-01-01T00:10:00Z',
      true,
    ],
    ['was made in the second before', new Date(at(10).getTime() + 400), '2026-01-01T00:09:59Z', false],
    ['says nothing of its age', at(10), undefined, false],
    ['cannot be compared with a lease', undefined, '2026-01-01T00:10:01Z', false],
  ])('shows in an orphan or not, if it %s', (_, leaseRenewed, created, expected) => {
    expect(setBackByOrphan(leaseRenewed, created) !== undefined).toBe(expected);
  });

  it('is remembered on bindings', () => {
    expect(remembersSetBack([binding(), binding({ reason: 'AppClusterSetBack' })])).toBe(true);
    expect(remembersSetBack([binding({ reason: 'OrphansHeld' })])).toBe(false);
  });
});

describe('the memory of a link', () => {
  const open = (bindings: APIServiceBinding[]) => {
    const world = { bindings, wentBack: 0 };
    const memory = createSetBackMemory({ bindings: () => world.bindings, timesWentBack: () => world.wentBack });
    return { world, memory };
  };

  it('holds nothing while all is well', () => {
    expect(open([binding()]).memory.current()).toBeUndefined();
  });

  it('takes over what a konnector before it found', () => {
    expect(open([binding({ reason: 'AppClusterSetBack' })]).memory.current()).toMatch(/restarted/);
  });

  it('notices an API server that goes back', () => {
    const { world, memory } = open([binding()]);
    world.wentBack = 1;

    expect(memory.current()).toMatch(/went back to an older state/);
  });

  it('lasts until every binding says what to do, and then ends for good', () => {
    const { world, memory } = open([binding(), binding()]);
    memory.note('somebody said so');
    world.bindings = [binding({ orphans: 'Restore' }), binding({ orphans: 'Hold' })];
    expect(memory.current()).toMatch(/somebody said so/);

    world.bindings = [binding({ orphans: 'Restore' }), binding({ orphans: 'Delete' })];
    expect(memory.current()).toBeUndefined();

    world.bindings = [binding()];
    expect(memory.current()).toBeUndefined();
  });

  it('begins again when it happens again', () => {
    const { world, memory } = open([binding({ orphans: 'Restore' })]);
    world.wentBack = 1;
    expect(memory.current()).toBeUndefined();

    world.bindings = [binding()];
    world.wentBack = 2;
    expect(memory.current()).toBeDefined();
  });
});

describe('a control plane that was set back', () => {
  const beating = binding({ type: 'Heartbeating', status: 'True', reason: 'Fine' });
  const silent = binding({ type: 'Heartbeating', reason: 'ControlPlaneUnreachable' });
  it.each<[string, { leaseRenewed?: Date; lastHeartbeat?: Date; bindings: APIServiceBinding[] }, boolean]>([
    ['is not one without a konnector before', { lastHeartbeat: at(0), bindings: [beating] }, false],
    [
      'is not one that got the last heartbeat',
      { leaseRenewed: at(9), lastHeartbeat: at(8), bindings: [beating] },
      false,
    ],
    ['is not one that was away', { leaseRenewed: at(60), lastHeartbeat: at(0), bindings: [silent] }, false],
    ['lacks heartbeats that arrived', { leaseRenewed: at(60), lastHeartbeat: at(0), bindings: [beating] }, true],
    ['has no heartbeat although some arrived', { leaseRenewed: at(60), bindings: [silent, beating] }, true],
  ])('%s', (_, { leaseRenewed, lastHeartbeat, bindings }, expected) => {
    const traces = { leaseRenewed, lastHeartbeat, bindings, heartbeatMs: 5 * 60_000 };
    expect(controlPlaneSetBackByLease(traces) !== undefined).toBe(expected);
  });

  it('is remembered on bindings, and forgotten only when what it lost may go', () => {
    const world = { bindings: [binding({ type: 'ClaimsSynced', reason: 'ControlPlaneSetBack' })] };
    const memory = createControlPlaneSetBackMemory({ bindings: () => world.bindings, timesWentBack: () => 0 });
    expect(memory.current()).toContain(annotations.orphans);

    world.bindings = [binding({ orphans: 'Restore' })];
    expect(memory.current()).toBeDefined();
    world.bindings = [binding({ orphans: 'Delete' })];
    expect(memory.current()).toBeUndefined();
  });
});
