import { describe, expect, it } from 'vitest';
import type { AdmissionPolicy, AdmissionPolicyBinding } from './admission-policy.ts';
import { backendPolicies } from './backend-policies.ts';
import { claimedTypes } from './tenant-policy.ts';

const grounds = {
  account: 'system:serviceaccount:bind:klutch-backend',
  namespace: 'bind',
  consumerScope: 'Namespaced',
  controlPlaneMode: false,
  offers: [],
} as const;

describe('the policies of a backend', () => {
  it('are each bound, deny, and fail closed', () => {
    const objects = backendPolicies(grounds);
    const policies = objects.filter(({ kind }) => kind === 'ValidatingAdmissionPolicy') as AdmissionPolicy[];
    const bindings = objects.filter(({ kind }) => kind !== 'ValidatingAdmissionPolicy') as AdmissionPolicyBinding[];

    expect(policies.map(({ metadata }) => metadata.name)).toEqual([
      'klutch-backend-mark',
      'klutch-backend-writes',
      'klutch-backend-tenants',
    ]);
    expect(bindings.map(({ spec }) => spec.policyName)).toEqual(policies.map(({ metadata }) => metadata.name));
    for (const { spec } of policies) expect(spec.failurePolicy).toBe('Fail');
    for (const { spec } of bindings) expect(spec.validationActions).toEqual(['Deny']);
  });

  it.each([
    ['AppClusterBindings are served', { controlPlaneMode: true }, 'appclusterbindings'],
    ['app clusters have rights in the whole cluster', { consumerScope: 'Cluster' as const }, 'object.roleRef'],
  ])('allow more only where %s', (_, settings, words) => {
    const text = (given: object) => JSON.stringify(backendPolicies({ ...grounds, ...given }));

    expect(text({})).not.toContain(words);
    expect(text(settings)).toContain(words);
  });
});

describe('types whose objects belong to either side', () => {
  const offer = (resource: string, ...claims: [string, string][]) => ({
    group: 'x.org',
    resource,
    permissionClaims: claims.map(([group, resource]) => ({ group, resource, version: 'v1' })),
  });
  const names = (...offers: ReturnType<typeof offer>[]) =>
    claimedTypes(offers).flatMap(({ apiGroups, resources }) => resources.map((one) => `${one}.${apiGroups[0]}`));

  it.each<[string, readonly ReturnType<typeof offer>[], readonly string[]]>([
    ['Secrets, whatever is claimed', [], ['secrets.']],
    [
      'all that is claimed, once',
      [offer('a', ['', 'configmaps']), offer('b', ['', 'configmaps'], ['y.org', 'c'])],
      ['configmaps.', 'secrets.', 'c.y.org'],
    ],
    ['not what is exported', [offer('a', ['x.org', 'b']), offer('b')], ['secrets.']],
  ])('are %s', (_, offers, expected) => {
    expect(names(...offers)).toEqual(expected);
  });
});
