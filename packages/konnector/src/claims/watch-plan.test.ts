import { describe, expect, it } from 'vitest';
import type { AcceptedClaim } from './accepted-claim.ts';
import { ruleWith } from './claim.fixture.ts';
import { watchesFor } from './watch-plan.ts';

type Selector = NonNullable<AcceptedClaim['claim']['selector']>;
const namespace = 'team-a';
const watches = (...selectors: readonly Selector[]) =>
  watchesFor(
    selectors.map((selector) => ruleWith({ selector })),
    namespace,
  );

describe('watches in the app cluster', () => {
  it('see none of the user, when only objects of the provider are claimed', () => {
    expect(watches({ owner: 'Provider' }, { owner: 'Provider', names: ['db'] })).toEqual([]);
    expect(watches()).toEqual([]);
  });

  it('see a namespace whole, when all in it is claimed', () => {
    expect(watches({ owner: 'Consumer' })).toEqual([{ namespace }]);
    expect(watches({})).toEqual([{ namespace }]);
    expect(watches({ owner: 'Consumer', names: ['db'] }, {})).toEqual([{ namespace }]);
  });

  it('see no more than names and labels let them', () => {
    expect(watches({ owner: 'Consumer', names: ['db'] })).toEqual([{ namespace, fieldSelector: 'metadata.name=db' }]);
    expect(watches({ labelSelectors: [{ a: '1', b: '2' }, { c: '3' }] })).toEqual([
      { namespace, labelSelector: 'a=1,b=2' },
      { namespace, labelSelector: 'c=3' },
    ]);
    expect(
      watches({ names: ['db'], labelSelectors: [{ a: '1' }] }, { names: ['db'], labelSelectors: [{ a: '1' }] }),
    ).toEqual([{ namespace, labelSelector: 'a=1', fieldSelector: 'metadata.name=db' }]);
  });

  it('leave out namespaces that are not claimed', () => {
    expect(watches({ owner: 'Consumer', namespaces: ['team-b'] })).toEqual([]);
    expect(watches({ owner: 'Consumer', namespaces: [namespace] })).toEqual([{ namespace }]);
  });

  it('become one where there would be many', () => {
    expect(watches({ names: ['a', 'b', 'c', 'd'] })).toHaveLength(4);
    expect(watches({ names: ['a', 'b', 'c', 'd', 'e'] })).toEqual([{ namespace }]);
  });
});
