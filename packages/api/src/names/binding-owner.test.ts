import type { OwnerReference } from '@klutch/kube';
import { describe, expect, it } from 'vitest';
import type { APIServiceBinding } from '../kinds/api-service-binding.ts';
import { bindingOwnerReference, isOwnedByBinding } from './binding-owner.ts';

const binding: APIServiceBinding = {
  apiVersion: 'klutch.anynines.com/v1alpha1',
  kind: 'APIServiceBinding',
  metadata: { name: 'widgets.example.org', namespace: 'klutch-bind', uid: '2210186f' },
};

const ownedBy = (...ownerReferences: OwnerReference[]) => ({
  metadata: { name: 'widgets.example.org', ownerReferences },
});

describe('the owner of a bound CRD', () => {
  it('is recorded as the Go konnector records it', () => {
    expect(bindingOwnerReference(binding)).toEqual({
      apiVersion: 'klutch.anynines.com/v1alpha1',
      kind: 'APIServiceBinding',
      name: 'widgets.example.org',
      uid: '2210186f',
      controller: true,
    });
  });

  it('is recognised, also among others', () => {
    const other = { apiVersion: 'v1', kind: 'ConfigMap', name: 'x', uid: 'y' };

    expect(isOwnedByBinding(ownedBy(other, bindingOwnerReference(binding)), binding)).toBe(true);
  });

  it.each<[string, Partial<OwnerReference>]>([
    ['had the name before', { uid: 'other' }],
    ['has another name', { name: 'gadgets.example.org' }],
    ['is of another kind', { kind: 'ClusterBinding' }],
    ['is of another group', { apiVersion: 'kube-bind.io/v1alpha1' }],
  ])('is not a binding that %s', (_, change) => {
    expect(isOwnedByBinding(ownedBy({ ...bindingOwnerReference(binding), ...change }), binding)).toBe(false);
  });

  it('is nobody on a CRD without owners, and never a binding that was not stored', () => {
    const unstored = { ...binding, metadata: { name: 'widgets.example.org' } };

    expect(isOwnedByBinding({ metadata: { name: 'widgets.example.org' } }, binding)).toBe(false);
    expect(isOwnedByBinding(ownedBy(bindingOwnerReference(unstored)), unstored)).toBe(false);
  });
});
