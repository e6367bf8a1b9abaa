import { describe, expect, it } from 'vitest';

import type { Json } from '../objects/api-object.ts';
import { fieldSet } from './field-set.ts';
import { fieldSetOf } from './field-set-of.ts';
import { type Owner, ownerId, type Owners } from './owner.ts';
import { removeNoLongerApplied } from './prune.ts';
import { sampleScope, sampleType } from './sample-kind.ts';
import { Versions } from './versions.ts';

function owner(manager: string, spec: Json | undefined, change: Partial<Owner> = {}): Owner {
  return {
    manager,
    operation: 'Apply',
    apiVersion: 'example.org/v1',
    subresource: '',
    time: undefined,
    fields: spec === undefined ? new Map() : fieldSetOf(sampleType, { spec }),
    ...change,
  };
}

const ownersOf = (...owners: Owner[]): Owners => new Map(owners.map((one) => [ownerId(one), one]));

interface Case {
  readonly name: string;
  readonly merged: Json;
  readonly last: Json;
  readonly applied?: Json;
  readonly others?: Owner[];
  readonly result: Json;
}

describe('removeNoLongerApplied', () => {
  it.each<Case>([
    {
      name: 'fields',
      merged: { size: 1, text: 'a' },
      last: { size: 1, text: 'a' },
      applied: { size: 1 },
      result: { spec: { size: 1 } },
    },
    {
      name: 'whole branches',
      merged: { nested: { deeper: { b: 'x' } } },
      last: { nested: { deeper: { b: 'x' } } },
      result: {},
    },
    {
      name: 'items of lists with all that is in them',
      merged: { ports: [{ port: 80, name: 'a' }, { port: 81 }] },
      last: { ports: [{ port: 80, name: 'a' }, { port: 81 }] },
      applied: { ports: [{ port: 81 }] },
      result: { spec: { ports: [{ port: 81 }] } },
    },
    {
      name: 'but not what another applier owns too',
      merged: { size: 1, set: ['a', 'b'] },
      last: { size: 1, set: ['a', 'b'] },
      others: [owner('two', { set: ['b'] })],
      result: { spec: { set: ['b'] } },
    },
    {
      name: 'nor what an updater owns, in whatever version',
      merged: { settings: { a: '1', b: '2' } },
      last: { settings: { a: '1', b: '2' } },
      others: [owner('u', { settings: { b: '2' } }, { operation: 'Update', apiVersion: 'example.org/v2' })],
      result: { spec: { settings: { b: '2' } } },
    },
    {
      name: 'nor what nobody owns in an object that stays',
      merged: { settings: { a: '1', b: '2' } },
      last: { settings: { a: '1' } },
      others: [owner('u', undefined, { operation: 'Update', fields: fieldSet('spec', 'spec.settings') })],
      result: { spec: { settings: { b: '2' } } },
    },
    {
      name: 'what nobody owns in an object that goes',
      merged: { nested: { a: '1', deeper: { b: 'x' } }, size: 1 },
      last: { nested: { a: '1' } },
      others: [owner('two', { size: 1 })],
      result: { spec: { size: 1 } },
    },
    {
      name: 'an item with what another only changed in it',
      merged: { ports: [{ port: 80, name: 'changed' }], size: 1 },
      last: { ports: [{ port: 80 }] },
      others: [owner('two', { size: 1 })],
      result: { spec: { size: 1 } },
    },
  ])('$name', ({ merged, last, applied, others = [], result }) => {
    const versions = new Versions(sampleScope());
    const owners = ownersOf(owner('one', applied), ...others);
    const pruned = removeNoLongerApplied(versions, { kind: 'Sample', spec: merged }, owner('one', last), owners);
    expect(pruned).toEqual({ kind: 'Sample', ...(result as object) });
  });

  it('removes nothing when nothing was applied before', () => {
    const merged = { spec: { size: 1 } };
    const versions = new Versions(sampleScope());
    expect(removeNoLongerApplied(versions, merged, owner('one', undefined), ownersOf())).toBe(merged);
  });
});
