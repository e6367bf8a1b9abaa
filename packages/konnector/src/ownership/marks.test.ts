import { annotations } from '@klutch/api';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Claimant, isForeign, type Marks, marksOf, type Standing, standingOf } from './marks.ts';

const us: Claimant = { tenant: 'x', appClusterId: 'here', takeOverFrom: 'old' };

const objectWith = (values: Record<string, string>) => ({
  apiVersion: 'example.org/v1',
  kind: 'Widget',
  metadata: { name: 'w', annotations: values },
});

describe('the marks of an object', () => {
  it('are read from its annotations', () => {
    const marked = objectWith({
      [annotations.bound]: 'true',
      [annotations.clusterNamespace]: 'x',
      [annotations.sourceCluster]: 'here',
      [annotations.sourceUid]: 'u1',
      [annotations.applied]: 'd1',
    });
    expect(marksOf(marked)).toEqual({
      bound: true,
      tenant: 'x',
      sourceCluster: 'here',
      sourceUid: 'u1',
      applied: 'd1',
    });
  });

  it('are absent where there is no annotation or an empty one', () => {
    const empty = objectWith({ [annotations.sourceCluster]: '', [annotations.clusterNamespace]: '' });
    expect(marksOf(empty)).toEqual({ bound: false });
    expect(marksOf({ apiVersion: 'v1', kind: 'X', metadata: {} })).toEqual({ bound: false });
  });

  it('take any value of bound for bound, as the Go konnector does', () => {
    expect(marksOf(objectWith({ [annotations.bound]: 'false' })).bound).toBe(true);
  });
});

describe('whose an object is', () => {
  const go = { bound: true };
  const ours = { bound: true, tenant: 'x', sourceCluster: 'here', sourceUid: 'u' };
  it.each<[string, Marks, Standing, Standing]>([
    ['a copy of ours', ours, 'ours', 'ours'],
    ['a copy of the Go konnector', { ...go, tenant: 'x' }, 'goMade', 'goMade'],
    ['a copy of the Go konnector without tenant', go, 'goMade', 'otherTenant'],
    ['an object of the provider', { bound: false }, 'unbound', 'otherTenant'],
    ['an object of the provider for us', { bound: false, tenant: 'x' }, 'unbound', 'unbound'],
    ['a copy of the cluster we succeed', { ...ours, sourceCluster: 'old' }, 'takeOver', 'takeOver'],
    ['a copy of another cluster', { ...ours, sourceCluster: 'there' }, 'otherCluster', 'otherCluster'],
    ['a copy of a tenant that begins like us', { ...ours, tenant: 'x-y' }, 'otherTenant', 'otherTenant'],
    ['a copy of a tenant we begin like', { ...ours, tenant: '' }, 'otherTenant', 'otherTenant'],
    ['another tenant pretending to be our cluster', { ...ours, tenant: 'y' }, 'otherTenant', 'otherTenant'],
    ['our cluster without tenant', { bound: true, sourceCluster: 'here' }, 'ours', 'otherTenant'],
  ])('%s', (_, marks, inOwnPlace, amongOthers) => {
    expect(standingOf(marks, us, 'own')).toBe(inOwnPlace);
    expect(standingOf(marks, us, 'shared')).toBe(amongOthers);
  });

  it('is never ours when it names another tenant, whatever else it says', () => {
    const anyMarks = fc.record({
      bound: fc.boolean(),
      tenant: fc.string({ minLength: 1 }).filter((tenant) => tenant !== us.tenant),
      sourceCluster: fc.option(fc.constantFrom('here', 'old', 'there'), { nil: undefined }),
      sourceUid: fc.option(fc.string(), { nil: undefined }),
    });
    fc.assert(
      fc.property(anyMarks, fc.constantFrom('own' as const, 'shared' as const), (marks, ground) => {
        expect(isForeign(standingOf(marks, us, ground))).toBe(true);
      }),
    );
  });

  it('does not succeed a cluster that nobody named', () => {
    expect(standingOf({ ...ours, sourceCluster: 'old' }, { ...us, takeOverFrom: undefined }, 'own')).toBe(
      'otherCluster',
    );
  });
});
