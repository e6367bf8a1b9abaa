import { type APIServiceBinding, trueCondition } from '@klutch/api';
import { eventually } from '@klutch/kube/testing';
import { describe, expect, it } from 'vitest';
import { createSharedTenants, type TenantMember } from './shared-tenants.ts';
import { createSignals } from './signals.ts';

function member(name: string) {
  const changes = createSignals();
  const beats: string[] = [];
  const binding: APIServiceBinding = {
    apiVersion: 'klutch.anynines.com/v1alpha1',
    kind: 'APIServiceBinding',
    metadata: { name },
  };
  const self: TenantMember = {
    bindings: { list: () => [binding], subscribe: changes.subscribe },
    beat: ({ is }) => beats.push(is),
    synced: ({ status }) => beats.push(status),
  };
  return { self, beats, changes };
}

function work() {
  const state = { all: undefined as TenantMember | undefined, end: () => {} };
  const run = (all: TenantMember) => {
    state.all = all;
    return new Promise<void>((resolve) => {
      state.end = resolve;
    });
  };
  return { state, run };
}

const names = (all: TenantMember | undefined) => all?.bindings.list().map(({ metadata }) => metadata.name);

describe('a tenant that several Secrets lead to', () => {
  it('is served once, for all of them', async () => {
    const tenants = createSharedTenants();
    const [a, b] = [member('a'), member('b')];
    const [first, second] = [work(), work()];
    const leave = new AbortController();
    const stay = new AbortController();
    const serving = tenants.serve('t', a.self, stay.signal, first.run);
    first.state.all?.beat({ is: 'arrived' });
    let changes = 0;
    first.state.all?.bindings.subscribe(() => {
      changes += 1;
    });

    const joining = tenants.serve('t', b.self, leave.signal, second.run);
    expect(second.state.all).toBeUndefined();
    expect(names(first.state.all)).toEqual(['a', 'b']);
    expect(changes).toBe(1);
    b.changes.tell();
    expect(changes).toBe(2);
    first.state.all?.synced(trueCondition('InformersSynced'));
    expect([a.beats, b.beats]).toEqual([
      ['arrived', 'True'],
      ['arrived', 'True'],
    ]);

    leave.abort();
    await joining;
    expect(names(first.state.all)).toEqual(['a']);
    first.state.end();
    await serving;
  });

  it('can be served by another when the first one ends', async () => {
    const tenants = createSharedTenants();
    const [a, b] = [member('a'), member('b')];
    const [first, second] = [work(), work()];
    const { signal } = new AbortController();
    const serving = tenants.serve('t', a.self, signal, first.run);
    const joining = tenants.serve('t', b.self, signal, second.run);

    first.state.end();
    await Promise.all([serving, joining]);
    const again = tenants.serve('t', b.self, signal, second.run);

    await eventually(() => names(second.state.all)?.[0] === 'b');
    second.state.end();
    await again;
  });

  it('has nothing to do with other tenants', () => {
    const tenants = createSharedTenants();
    const [first, second] = [work(), work()];
    const { signal } = new AbortController();
    void tenants.serve('t', member('a').self, signal, first.run);
    void tenants.serve('u', member('b').self, signal, second.run);

    expect([names(first.state.all), names(second.state.all)]).toEqual([['a'], ['b']]);
  });
});
