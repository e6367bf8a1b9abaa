import { annotations } from '@klutch/api';
import type { UnknownObject } from '@klutch/kube';
import { describe, expect, it } from 'vitest';
import { createInventory } from './inventory.ts';

const copy = (name: string, bound = true, namespace = 'svc'): UnknownObject => ({
  apiVersion: 'v1',
  kind: 'X',
  metadata: { name, namespace, annotations: bound ? { [annotations.bound]: 'true' } : {} },
});

describe('the inventory of copies', () => {
  it('counts those that are ours, each once', () => {
    const inventory = createInventory();
    inventory.put(copy('a'), 'ours');
    inventory.put(copy('a'), 'ours');
    inventory.put(copy('b'), 'goMade');
    inventory.put(copy('c'), 'otherCluster');
    expect(inventory.own).toBe(2);
    inventory.delete(copy('a'));
    inventory.delete(copy('never-there'));
    expect(inventory.own).toBe(1);
  });

  it('knows a namespace as used while any copy is there, whosever it is', () => {
    const inventory = createInventory();
    expect(inventory.isUsed('svc')).toBe(false);
    inventory.put(copy('a'), 'otherCluster');
    expect(inventory.isUsed('svc')).toBe(true);
    inventory.delete(copy('a'));
    expect(inventory.isUsed('svc')).toBe(false);
  });

  it('does not count what no konnector has touched', () => {
    const inventory = createInventory();
    inventory.put(copy('a', false), 'unbound');
    expect([inventory.own, inventory.isUsed('svc')]).toEqual([0, false]);
  });

  it('forgets a namespace that is left', () => {
    const inventory = createInventory();
    inventory.put(copy('a'), 'ours');
    inventory.put(copy('a', true, 'other'), 'ours');
    inventory.leave('svc');
    expect([inventory.own, inventory.isUsed('svc'), inventory.isUsed('other')]).toEqual([1, false, true]);
  });
});
