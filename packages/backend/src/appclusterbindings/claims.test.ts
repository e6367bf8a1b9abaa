import { annotations } from '@klutch/api';
import { describe, expect, it } from 'vitest';
import { secretClaim, someBinding } from './binding.fixture.ts';
import { claimDecisions } from './claims.ts';

const gadgets = { group: 'example.org', resource: 'gadgets', version: 'v1' };
const decided = (text: string) => claimDecisions(someBinding({}, { [annotations.acceptClaims]: text }));

describe('claims, as the annotation of a binding decides them', () => {
  it('are left to others without the annotation', () => {
    expect(claimDecisions(someBinding())).toBeUndefined();
  });

  it.each([
    ['all', ['Accepted', 'Accepted']],
    ['none', ['Rejected', 'Rejected']],
    ['', ['Rejected', 'Rejected']],
    ['secrets', ['Accepted', 'Rejected']],
    [' gadgets.example.org , secrets', ['Accepted', 'Accepted']],
    ['gadgets', ['Rejected', 'Rejected']],
  ])('BE-53 are decided by "%s"', (text, states) => {
    const claims = decided(text)?.decide([secretClaim, gadgets]);

    expect(claims?.map(({ state }) => state)).toEqual(states);
    expect(claims?.[0]).toMatchObject(secretClaim);
  });

  it('know names that nobody claims', () => {
    expect(decided('secrets,gadgets,all')?.unknown([secretClaim, gadgets])).toEqual(['gadgets']);
  });
});
