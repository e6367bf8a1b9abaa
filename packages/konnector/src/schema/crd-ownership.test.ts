import { annotations, bindingOwnerReference } from '@klutch/api';
import type { ObjectMeta } from '@klutch/kube';
import { describe, expect, it } from 'vitest';
import { type CrdOwnership, ownershipOf } from './crd-ownership.ts';
import { sampleBinding, sampleExport, servedCrd } from './schema.fixture.ts';

const tenant = 'tenant/tenant-uid';
const own = bindingOwnerReference(sampleBinding());
const former = { ...own, uid: 'former-uid' };
const deployment = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'x', uid: 'x', controller: true };

describe('a CRD', () => {
  it.each<[string, Partial<ObjectMeta>, boolean, CrdOwnership]>([
    ['of the binding', { ownerReferences: [own] }, false, 'own'],
    [
      'of the binding, whatever its marks say',
      { ownerReferences: [own], annotations: { [annotations.tenant]: 'other/uid' } },
      false,
      'own',
    ],
    ['of nobody', { ownerReferences: [] }, true, 'foreign'],
    [
      'of nobody, released by this tenant',
      { ownerReferences: [], annotations: { [annotations.released]: tenant } },
      false,
      'free',
    ],
    [
      'of nobody, released by another tenant',
      { ownerReferences: [], annotations: { [annotations.released]: 'other/uid' } },
      true,
      'foreign',
    ],
    ['of an earlier binding that is gone', { ownerReferences: [former] }, true, 'free'],
    ['of a binding elsewhere that is there', { ownerReferences: [former] }, false, 'foreign'],
    [
      'of an earlier binding to this tenant',
      { ownerReferences: [former], annotations: { [annotations.tenant]: tenant } },
      true,
      'free',
    ],
    [
      'of an earlier binding to another tenant',
      { ownerReferences: [former], annotations: { [annotations.tenant]: 'other/uid' } },
      true,
      'foreign',
    ],
    [
      'of a binding with another name',
      { ownerReferences: [{ ...former, name: 'others.example.org' }] },
      true,
      'foreign',
    ],
    [
      'of a kind of the same name in another group',
      { ownerReferences: [{ ...own, apiVersion: 'klutch.anynines.com.evil.org/v1' }] },
      true,
      'foreign',
    ],
    [
      'of another controller',
      { ownerReferences: [deployment], annotations: { [annotations.released]: tenant } },
      true,
      'foreign',
    ],
  ])('%s', (_, metadata, ownerIsGone, expected) => {
    const crd = servedCrd(sampleExport(), metadata);

    expect(ownershipOf(crd, sampleBinding(), { tenant, ownerIsGone })).toBe(expected);
  });
});
