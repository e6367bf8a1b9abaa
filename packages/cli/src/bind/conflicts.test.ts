import {
  annotations,
  type APIServiceBinding,
  apiVersion,
  bindingOwnerReference,
  type CustomResourceDefinition,
  isKlutchError,
} from '@klutch/api';
import { describe, expect, it } from 'vitest';
import { refuseConflicts } from './conflicts.ts';

const api = 'widgets.example.org';
const binding = (secret: string, uid = 'u1'): APIServiceBinding => ({
  apiVersion,
  kind: 'APIServiceBinding',
  metadata: { name: api, namespace: 'klutch-bind', uid },
  spec: { kubeconfigSecretRef: { namespace: 'klutch-bind', name: secret, key: 'kubeconfig' } },
});
const crd = (metadata: object): CustomResourceDefinition => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: api, ...metadata },
  spec: {
    group: 'example.org',
    names: { kind: 'Widget', plural: 'widgets', singular: 'widget', listKind: 'WidgetList' },
    scope: 'Namespaced',
    versions: [],
  },
});
const owned = (uid: string) => crd({ ownerReferences: [bindingOwnerReference(binding('a', uid))] });
const update = { action: 'update', name: 'a', isCurrent: false } as const;

describe('refuseConflicts', () => {
  it.each([
    ['nothing is there', {}, { action: 'create' }],
    ['the binding uses the same Secret', { binding: binding('a') }, update],
    [
      'the binding uses a Secret that is made anew',
      { binding: binding('a') },
      { action: 'restore', name: 'a', exists: false },
    ],
    ['the CRD belongs to the binding', { binding: binding('a'), crd: owned('u1') }, update],
    ['the CRD belonged to a binding before', { binding: binding('a'), crd: owned('u0') }, update],
    ['the CRD was left behind', { crd: owned('u0') }, { action: 'create' }],
    ['the CRD was released', { crd: crd({ annotations: { [annotations.released]: 'x/y' } }) }, { action: 'create' }],
  ] as const)('has nothing against it when %s', (_, existing, plan) => {
    expect(() => refuseConflicts({ api, ...existing }, plan, [])).not.toThrow();
  });

  it.each([
    ['CLI-27 the binding uses another Secret', { binding: binding('b') }, update, 'KLUTCH_BINDING_EXISTS'],
    [
      'CLI-27 the binding uses a Secret and a new one would come',
      { binding: binding('b') },
      { action: 'create' },
      'KLUTCH_BINDING_EXISTS',
    ],
    ['CLI-28 nobody owns the CRD', { crd: crd({}) }, { action: 'create' }, 'KLUTCH_CRD_FOREIGN'],
    [
      'CLI-28 somebody else owns the CRD of a binding',
      { binding: binding('a'), crd: crd({}) },
      update,
      'KLUTCH_CRD_FOREIGN',
    ],
    [
      'CLI-28 a binding of another name owns the CRD',
      { crd: crd({ ownerReferences: [{ ...bindingOwnerReference(binding('a')), name: 'other' }] }) },
      { action: 'create' },
      'KLUTCH_CRD_FOREIGN',
    ],
  ] as const)('refuses when %s', (_, existing, plan, code) => {
    const refuse = () => refuseConflicts({ api, ...existing }, plan, []);
    expect(refuse).toThrow(expect.toSatisfy((error) => isKlutchError(error, code)) as Error);
  });
});
