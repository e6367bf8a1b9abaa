import { type AcceptablePermissionClaim, annotations, type APIServiceBinding } from '@klutch/api';
import { describe, expect, it } from 'vitest';
import { sampleBinding } from '../schema/schema.fixture.ts';
import { acceptedClaims, claimDebts, claimKey, claimRecord, recordedClaims, typeOfKey } from './claim-record.ts';

type Decided = Pick<AcceptablePermissionClaim, 'resource' | 'state' | 'required'>;

function bindingWith(record: string | undefined, claims: readonly Decided[], uid = 'binding-uid'): APIServiceBinding {
  const marks: Record<string, string> = record === undefined ? {} : { [annotations.claimedTypes]: record };
  const { spec, ...rest } = sampleBinding({ uid, annotations: marks });
  const permissionClaims = claims.map((claim) => ({ group: '', version: 'v1', ...claim }));
  return { ...rest, spec: { ...spec, permissionClaims } } as APIServiceBinding;
}

const accepted: Decided = { resource: 'secrets', state: 'Accepted' };
const rejected: Decided = { resource: 'secrets', state: 'Rejected' };

describe('what a binding remembers of its claims', () => {
  it('is read as it was written', () => {
    const keys = ['apps/v1/deployments', '/v1/secrets', '/v1/secrets'];

    expect(claimRecord(keys)).toBe('/v1/secrets,apps/v1/deployments');
    expect([...recordedClaims(bindingWith(claimRecord(keys) ?? '', []))]).toEqual([
      '/v1/secrets',
      'apps/v1/deployments',
    ]);
    expect(claimRecord([])).toBeNull();
  });

  it.each(['', ',', 'secrets', 'v1/secrets', '//', 'a/b/c/d'])('is nothing where it makes no sense: %j', (text) => {
    expect([...recordedClaims(bindingWith(text, []))]).toEqual([]);
  });

  it('names a type', () => {
    const type = { group: 'apps', version: 'v1', resource: 'deployments' };

    expect(typeOfKey(claimKey(type))).toEqual(type);
    expect(claimKey({ version: 'v1', resource: 'secrets' })).toBe('/v1/secrets');
  });
});

describe('the claims that a binding accepts', () => {
  it('are none when it lacks one that it cannot do without', () => {
    const required: Decided = { resource: 'configmaps', state: 'Rejected', required: true };

    expect([...acceptedClaims(bindingWith(undefined, [accepted]))]).toEqual(['/v1/secrets']);
    expect([...acceptedClaims(bindingWith(undefined, [accepted, required]))]).toEqual([]);
    expect([...acceptedClaims(bindingWith(undefined, [rejected]))]).toEqual([]);
  });
});

describe('the debts of a binding', () => {
  const none = { record: undefined, owed: [], settled: [] };

  it.each<[string, string | undefined, readonly Decided[], object]>([
    ['without claims', undefined, [], none],
    ['that accepts what it remembers', '/v1/secrets', [accepted], none],
    ['that never accepted', undefined, [rejected], none],
    ['that accepts something new', '/v1/x', [accepted], { ...none, record: ['/v1/x', '/v1/secrets'], owed: ['/v1/x'] }],
    ['that rejects what it accepted', '/v1/secrets', [rejected], { ...none, owed: ['/v1/secrets'] }],
    ['that no longer lists what it accepted', '/v1/secrets', [], { ...none, owed: ['/v1/secrets'] }],
  ])('%s', (_, record, claims, expected) => {
    const binding = bindingWith(record, claims);

    expect(claimDebts(binding, [binding])).toEqual(expected);
  });

  it('are left to another binding that accepts the same', () => {
    const binding = bindingWith('/v1/secrets', [rejected]);
    const other = bindingWith(undefined, [accepted], 'other-uid');

    expect(claimDebts(binding, [binding, other])).toEqual({ ...none, settled: ['/v1/secrets'] });
  });

  it('do not depend on an older look at the same binding', () => {
    const binding = bindingWith('/v1/secrets', [rejected]);

    expect(claimDebts(binding, [bindingWith('/v1/secrets', [accepted])]).owed).toEqual(['/v1/secrets']);
  });
});
