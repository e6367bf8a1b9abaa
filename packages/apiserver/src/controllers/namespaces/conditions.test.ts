import { describe, expect, it } from 'vitest';
import { type NamespaceCondition, type Remains, terminationConditions } from './conditions.ts';

const NOW = '2026-01-02T00:00:00Z';
const BEFORE = '2026-01-01T00:00:00Z';

const remains = (more: Partial<Remains> = {}): Remains => ({
  objects: new Map(),
  finalizers: new Map(),
  failures: [],
  ...more,
});

const fine = terminationConditions([], remains(), BEFORE) ?? [];
const find = (conditions: readonly NamespaceCondition[] | undefined, type: string) =>
  conditions?.find((condition) => condition.type === type);

describe('the conditions of a namespace that is being deleted', () => {
  it('say that all went well, one by one, when nothing is left', () => {
    expect(fine.map(({ type, status, reason, message }) => [type, status, reason, message])).toEqual([
      ['NamespaceDeletionDiscoveryFailure', 'False', 'ResourcesDiscovered', 'All resources successfully discovered'],
      [
        'NamespaceDeletionGroupVersionParsingFailure',
        'False',
        'ParsedGroupVersions',
        'All legacy kube types successfully parsed',
      ],
      [
        'NamespaceDeletionContentFailure',
        'False',
        'ContentDeleted',
        'All content successfully deleted, may be waiting on finalization',
      ],
      ['NamespaceContentRemaining', 'False', 'ContentRemoved', 'All content successfully removed'],
      ['NamespaceFinalizersRemaining', 'False', 'ContentHasNoFinalizers', 'All content-preserving finalizers finished'],
    ]);
    expect(new Set(fine.map(({ lastTransitionTime }) => lastTransitionTime))).toEqual(new Set([BEFORE]));
  });

  it('count what is left, sorted', () => {
    const objects = new Map([
      ['things.ex.io', 2],
      ['configmaps.', 1],
    ]);
    const finalizers = new Map([
      ['z/z', 1],
      ['a/a', 2],
    ]);
    const conditions = terminationConditions(fine, remains({ objects, finalizers }), NOW);
    expect(find(conditions, 'NamespaceContentRemaining')).toEqual({
      type: 'NamespaceContentRemaining',
      status: 'True',
      reason: 'SomeResourcesRemain',
      message:
        'Some resources are remaining: configmaps. has 1 resource instances, things.ex.io has 2 resource instances',
      lastTransitionTime: NOW,
    });
    expect(find(conditions, 'NamespaceFinalizersRemaining')).toEqual({
      type: 'NamespaceFinalizersRemaining',
      status: 'True',
      reason: 'SomeFinalizersRemain',
      message:
        'Some content in the namespace has finalizers remaining: a/a in 2 resource instances, z/z in 1 resource instances',
      lastTransitionTime: NOW,
    });
    expect(find(conditions, 'NamespaceDeletionContentFailure')).toEqual(find(fine, 'NamespaceDeletionContentFailure'));
  });

  it('tell failures', () => {
    const conditions = terminationConditions([], remains({ failures: ['second', 'first'] }), NOW);
    expect(find(conditions, 'NamespaceDeletionContentFailure')).toMatchObject({
      status: 'True',
      reason: 'ContentDeletionFailed',
      message: 'Failed to delete all resource types, 2 remaining: first, second',
    });
  });

  it('are left as they are when they are right', () => {
    expect(terminationConditions(fine, remains(), NOW)).toBeUndefined();
  });

  it('keep their time while only the message changes, and their place', () => {
    const foreign: NamespaceCondition = {
      type: 'Foreign',
      status: 'True',
      reason: 'R',
      message: 'm',
      lastTransitionTime: BEFORE,
    };
    const two = terminationConditions([foreign, ...fine], remains({ objects: new Map([['a.', 2]]) }), BEFORE) ?? [];
    const one = terminationConditions(two, remains({ objects: new Map([['a.', 1]]) }), NOW) ?? [];
    expect(one.map(({ type }) => type)).toEqual(['Foreign', ...fine.map(({ type }) => type)]);
    expect(one[0]).toEqual(foreign);
    expect(find(one, 'NamespaceContentRemaining')?.message).toContain('1 resource instances');
    expect(find(one, 'NamespaceContentRemaining')?.lastTransitionTime).toBe(BEFORE);
  });
});
