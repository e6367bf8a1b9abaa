import type { PermissionClaim } from '@klutch/api';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Grounds, grantedRules } from './granted-rules.ts';

const claim = (resource: string, owner?: 'Provider' | 'Consumer', group?: string): PermissionClaim => ({
  resource,
  version: 'v1',
  ...(group === undefined ? {} : { group }),
  ...(owner === undefined ? {} : { selector: { owner } }),
});
const exported = (plural: string, group: string, ...permissionClaims: PermissionClaim[]): Grounds => ({
  group,
  names: { plural, kind: 'Kind' },
  permissionClaims,
});
const every = ['get', 'list', 'watch', 'update', 'patch', 'delete', 'create'];

describe('the rights of an app cluster', () => {
  it('are none without exports', () => {
    expect(grantedRules([])).toEqual([]);
  });

  it('cover each exported and each claimed type, and nothing else', () => {
    const rules = grantedRules([
      exported('widgets', 'b.example.org', claim('secrets', 'Provider'), claim('configmaps', 'Consumer')),
      exported('gadgets', 'a.example.org', claim('leases', undefined, 'coordination.k8s.io')),
    ]);

    expect(rules).toEqual([
      { apiGroups: [''], resources: ['configmaps'], verbs: every },
      { apiGroups: [''], resources: ['secrets'], verbs: ['get', 'list', 'watch', 'update', 'patch'] },
      { apiGroups: ['a.example.org'], resources: ['gadgets'], verbs: every },
      { apiGroups: ['b.example.org'], resources: ['widgets'], verbs: every },
      { apiGroups: ['coordination.k8s.io'], resources: ['leases'], verbs: every },
    ]);
  });

  it('are the sum of what several claims need', () => {
    const both = grantedRules([
      exported('widgets', 'x.org', claim('secrets', 'Provider')),
      exported('gadgets', 'x.org', claim('secrets', 'Consumer')),
    ]);

    expect(both.filter(({ resources }) => resources[0] === 'secrets')).toEqual([
      { apiGroups: [''], resources: ['secrets'], verbs: every },
    ]);
  });

  it.each(['*', 'secrets/*', 'pods/exec', '', 'Secrets', ' secrets'])('never cover %j', (resource) => {
    expect(grantedRules([exported('widgets', 'x.org', claim(resource))])).toHaveLength(1);
  });

  const names = fc.constantFrom('secrets', 'configmaps', 'widgets', 'pods', '*', 'pods/exec', '');
  const groups = fc.constantFrom('', 'x.org', 'a.example.org', '*');
  const claims = fc
    .record({
      resource: names,
      group: groups,
      owner: fc.constantFrom(undefined, 'Provider' as const, 'Consumer' as const),
    })
    .map(({ resource, group, owner }) => claim(resource, owner, group));
  const exports = fc
    .record({ plural: names, group: groups, claims: fc.array(claims, { maxLength: 4 }) })
    .map(({ plural, group, claims }) => exported(plural, group, ...claims));

  it('S-15 hold no wildcard, ever', () => {
    fc.assert(
      fc.property(fc.array(exports), (list) => {
        expect(JSON.stringify(grantedRules(list))).not.toMatch(/[*/]/);
      }),
    );
  });

  it("BE-41 S-15 S-24 never let objects of the provider's be created or deleted", () => {
    const ofProvider = claims.filter(({ selector }) => selector?.owner === 'Provider');
    fc.assert(
      fc.property(fc.array(ofProvider), (list) => {
        const verbs = grantedRules([exported('gadgets', 'own.org', ...list)])
          .filter(({ resources }) => resources[0] !== 'gadgets')
          .flatMap(({ verbs }) => verbs);

        expect(verbs).not.toContain('create');
        expect(verbs).not.toContain('delete');
      }),
    );
  });

  it('do not depend on the order in which a cache tells of exports and claims', () => {
    const shuffled = fc
      .array(exports, { maxLength: 5 })
      .chain((list) => fc.tuple(fc.constant(list), fc.shuffledSubarray(list, { minLength: list.length })));
    fc.assert(
      fc.property(shuffled, ([list, other]) => {
        const turned = other.map((one) => ({ ...one, permissionClaims: [...(one.permissionClaims ?? [])].reverse() }));

        expect(grantedRules(turned)).toEqual(grantedRules(list));
      }),
    );
  });
});
