import { describe, expect, it } from 'vitest';

import { capOwners } from './cap-owners.ts';
import { fieldSet } from './field-set.ts';
import { type Owner, ownerId, type Owners } from './owner.ts';
import { pathsOf } from './sample-kind.ts';

function updater(index: number, change: Partial<Owner> = {}): Owner {
  const number = String(index).padStart(2, '0');
  return {
    manager: `m${number}`,
    operation: 'Update',
    apiVersion: 'example.org/v1',
    subresource: '',
    time: `2030-01-01T00:00:${number}Z`,
    fields: fieldSet(`spec.f${number}`),
    ...change,
  };
}

const ownersOf = (...owners: Owner[]): Owners => new Map(owners.map((owner) => [ownerId(owner), owner]));
const updaters = (count: number, change?: (index: number) => Partial<Owner>) =>
  Array.from({ length: count }, (_, index) => updater(index, change?.(index)));
const managersOf = (owners: Owners) => [...owners.values()].map(({ manager }) => manager).sort();

describe('capOwners', () => {
  it('keeps ten updaters as they are', () => {
    const owners = ownersOf(...updaters(10));
    expect(capOwners(owners)).toBe(owners);
  });

  it('makes one of the two oldest when there are eleven', () => {
    const capped = capOwners(ownersOf(...updaters(11)));
    expect(capped.size).toBe(10);
    expect(managersOf(capped)).toEqual([
      'ancient-changes',
      ...updaters(11)
        .slice(2)
        .map(({ manager }) => manager),
    ]);
    const ancient = [...capped.values()].find(({ manager }) => manager === 'ancient-changes');
    expect(pathsOf(ancient?.fields ?? new Map())).toEqual(['.spec.f00', '.spec.f01']);
    expect(ancient).toMatchObject({ operation: 'Update', subresource: '', time: '2030-01-01T00:00:01Z' });
  });

  it('adds to what is ancient already', () => {
    const ancient = updater(0, { manager: 'ancient-changes' });
    const capped = capOwners(ownersOf(ancient, ...updaters(11).slice(1)));
    expect(managersOf(capped)).toEqual([
      'ancient-changes',
      ...updaters(11)
        .slice(2)
        .map(({ manager }) => manager),
    ]);
    const [bucket] = [...capped.values()].filter(({ manager }) => manager === 'ancient-changes');
    expect(pathsOf(bucket?.fields ?? new Map())).toEqual(['.spec.f00', '.spec.f01']);
  });

  it('keeps versions apart', () => {
    const owners = updaters(12, (index) => ({ apiVersion: `example.org/v${index % 2}` }));
    const capped = capOwners(ownersOf(...owners));
    expect(capped.size).toBe(10);
    const buckets = [...capped.values()].filter(({ manager }) => manager === 'ancient-changes');
    expect(buckets.map(({ apiVersion, fields }) => [apiVersion, pathsOf(fields)])).toEqual([
      ['example.org/v0', ['.spec.f00', '.spec.f02']],
      ['example.org/v1', ['.spec.f01', '.spec.f03']],
    ]);
  });

  it('never touches appliers', () => {
    const appliers = Array.from({ length: 20 }, (_, index) => updater(index, { operation: 'Apply' }));
    const owners = ownersOf(...appliers, ...updaters(10));
    expect(capOwners(owners)).toBe(owners);
  });

  it('takes those without a time first, and names in order within a second', () => {
    const owners = updaters(11, (index) => ({ time: index === 10 ? undefined : '2030-01-01T00:00:00Z' }));
    const capped = capOwners(ownersOf(...owners));
    expect(managersOf(capped)).not.toContain('m10');
    expect(managersOf(capped)).not.toContain('m00');
    expect(managersOf(capped)).toContain('m01');
  });
});
