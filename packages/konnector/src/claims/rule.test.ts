import { describe, expect, it } from 'vitest';
import type { AcceptedClaim } from './accepted-claim.ts';
import { claimWith, ruleWith, secretOf } from './claim.fixture.ts';
import { ruleOf, selects } from './rule.ts';

type ClaimPart = Partial<AcceptedClaim['claim']>;

const object = secretOf({ name: 'db', namespace: 'x-team-a', labels: { app: 'web', tier: 'back' } });

describe('selectors', () => {
  const rows: readonly (readonly [string, NonNullable<ClaimPart['selector']>, boolean])[] = [
    ['nothing said', {}, true],
    ['everything', { names: ['*'], namespaces: ['*'] }, true],
    ['its name', { names: ['other', 'db'] }, true],
    ['another name', { names: ['other'] }, false],
    ['a pattern is no name', { names: ['d*'] }, false],
    ['its app namespace', { namespaces: ['team-a'] }, true],
    ['another namespace', { namespaces: ['team-b'] }, false],
    ['the service namespace', { namespaces: ['x-team-a'] }, false],
    ['its labels', { labelSelectors: [{ app: 'web', tier: 'back' }] }, true],
    ['a label too many', { labelSelectors: [{ app: 'web', tier: 'front' }] }, false],
    ['one entry of several', { labelSelectors: [{ app: 'other' }, { tier: 'back' }] }, true],
    ['no entries', { labelSelectors: [] }, true],
    ['its name as field', { fieldSelectors: ['metadata.name=db'] }, true],
    ['another name as field', { fieldSelectors: ['metadata.name==other'] }, false],
    ['not another name', { fieldSelectors: ['metadata.name!=other'] }, true],
    ['its namespace as field', { fieldSelectors: ['metadata.name=db,metadata.namespace=team-a'] }, true],
    ['all fields must fit', { fieldSelectors: ['metadata.name=db', 'metadata.namespace=team-b'] }, false],
    ['name and label', { names: ['db'], labelSelectors: [{ app: 'other' }] }, false],
    ['its owner', { owner: 'Provider' }, true],
    ['the other owner', { owner: 'Consumer' }, false],
  ];
  it.each(rows)('%s', (_, selector, expected) => {
    expect(selects(ruleWith({ selector }), 'Provider', object, 'team-a')).toBe(expected);
  });

  it('without owner mean objects of either side', () => {
    expect(selects(ruleWith(), 'Consumer', object, 'team-a')).toBe(true);
  });
});

describe('what cannot be had', () => {
  const rows: readonly (readonly [ClaimPart, string])[] = [
    [{ autoAdopt: true }, 'autoAdopt'],
    [{ autoDonate: true }, 'autoDonate'],
    [{ read: { labelsOnProviderOwnedObjects: [{ pattern: '*' }] } }, 'read.labelsOnProviderOwnedObjects'],
    [{ read: { overrideAnnotations: [{ pattern: '*' }] } }, 'read.overrideAnnotations'],
    [{ update: { labelsOnConsumerOwnedObjects: [{ pattern: '*' }] } }, 'update.labelsOnConsumerOwnedObjects'],
    [{ update: { annotationsOnConsumerOwnedObjects: [{ pattern: '*' }] } }, 'update.annotationsOnConsumerOwnedObjects'],
    [{ update: { fields: ['data'], preserving: ['type'] } }, 'update.preserving'],
    [{ update: { fields: ['data[*]'] } }, 'data[*]'],
    [{ update: { preserving: ['metadata.labels'] } }, 'metadata.labels'],
    [{ selector: { fieldSelectors: ['type=Opaque'] } }, 'type=Opaque'],
    [{ selector: { names: [] } }, 'selector.names'],
    [{ selector: { namespaces: [] } }, 'cluster-scoped'],
  ];
  it.each(rows)('%j is refused with the reason', (claim, reason) => {
    expect(ruleOf(claimWith(claim))).toEqual({ refused: expect.stringContaining(reason) });
  });
});

describe('defaults', () => {
  it('are those of the API, also when nothing was filled in', () => {
    expect(ruleWith()).toMatchObject({ recreate: true, replaceExisting: false, alwaysRecreate: false });
    expect(ruleWith().metadata.Provider).toEqual({ labels: ['*'], annotations: ['*'] });
  });

  it('of metadata can be narrowed for each owner, down to none', () => {
    const { metadata } = ruleWith({
      update: { labels: [{ pattern: 'team-*' }], annotations: [] },
      read: { annotations: [{ pattern: 'a' }] },
    });
    expect(metadata).toEqual({
      Provider: { labels: ['team-*'], annotations: [] },
      Consumer: { labels: ['*'], annotations: ['a'] },
    });
  });
});
