import { describe, expect, it } from 'vitest';
import { beyondOwnPlaces } from './beyond-own-places.ts';

describe('the rule over what a backend may do', () => {
  it.each([
    'kube-system patch configmaps',
    'kube-system get secrets',
    'cluster list secrets',
    'cluster create namespaces',
    'cluster delete clusterrolebindings.rbac.authorization.k8s.io',
    'namespace-of-a-stranger create serviceaccounts/token',
    'namespace-of-a-stranger patch namespaces (itself)',
  ])('is broken by %s', (title) => {
    expect(beyondOwnPlaces([title])).toEqual([title]);
  });

  it.each([
    'cluster list namespaces',
    'cluster create tokenreviews.authentication.k8s.io',
    'cluster create selfsubjectaccessreviews.authorization.k8s.io',
    'own-namespace update leases.coordination.k8s.io',
    'cluster-namespace-of-a-tenant create serviceaccounts/token',
    'service-namespace-of-a-tenant get secrets',
  ])('is kept by %s', (title) => {
    expect(beyondOwnPlaces([title])).toEqual([]);
  });

  it('has exceptions only for what is named, verb and all', () => {
    const status = ['patch', 'update'].map(
      (verb) => `kube-system ${verb} appclusterbindings/status.klutch.anynines.com`,
    );

    expect(beyondOwnPlaces(status, ['patch appclusterbindings/status.klutch.anynines.com'])).toEqual([status[1]]);
  });
});
