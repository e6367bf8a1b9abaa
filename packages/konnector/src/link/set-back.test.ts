import { type APIServiceBinding, annotations } from '@klutch/api';
import { describe, expect, it } from 'vitest';
import { createSetBackMemory, leaseWentBack, remembersSetBack, setBackByLease } from './set-back.ts';

const at = (minutes: number) => new Date(Date.UTC(2026, 0, 1, 0, minutes));

function binding(state: { readonly orphans?: string; readonly reason?: string } = {}): APIServiceBinding {
  const { orphans, reason } = state;
  return {
    apiVersion: 'klutch.anynines.com/v1alpha1',
    kind: 'APIServiceBinding',
    metadata: { name: 'widgets.example.org', uid: '1', annotations: orphans ? { [annotations.orphans]: orphans } : {} },
    status: {
      conditions: reason
        ? [{ type: 'InstancesSynced', status: 'False', reason, lastTransitionTime: '2026-01-01T00:00:00Z' }]
        : [],
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

  it.each<[string, Date | undefined, Date | undefined, boolean]>([
    ['what was written before is found', at(10), at(10), false],
    ['nothing was written', undefined, at(10), false],
    ['the lease is gone', at(10), undefined, false],
    ['a much older one is found', at(10), at(1), true],
  ])('shows in a lease when %s', (_, written, found, expected) => {
    expect(leaseWentBack(written, found)).toBe(expected);
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
