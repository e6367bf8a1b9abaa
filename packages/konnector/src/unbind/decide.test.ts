import { annotations, type APIServiceBinding, bindingOwnerReference, finalizers } from '@klutch/api';
import { describe, expect, it } from 'vitest';
import { sampleBinding, sampleExport, servedCrd } from '../schema/schema.fixture.ts';
import { clearing, farewell, isToBeCleared, ownerWithin } from './decide.ts';

const home = 'app-uid';
const crdWith = (marks: Readonly<Record<string, string>>) => servedCrd(sampleExport(), { annotations: marks });

describe('the binding that a CRD was made for', () => {
  it.each([
    ['here', 'app-uid/klutch-bind', 'klutch-bind', 'binding-uid'],
    ['anywhere here', 'app-uid/klutch-bind', undefined, 'binding-uid'],
    ['without namespace', 'app-uid/', undefined, 'binding-uid'],
    ['in another namespace', 'app-uid/other', 'klutch-bind', undefined],
    ['in another cluster', 'app-uid-2/klutch-bind', undefined, undefined],
    ['nobody knows where', undefined, undefined, undefined],
  ])('lived %s', (_, boundIn, namespace, owner) => {
    const crd = crdWith(boundIn === undefined ? {} : { [annotations.boundIn]: boundIn });

    expect(ownerWithin(crd, { home, namespace })).toBe(owner);
  });

  it('is none of the other owners', () => {
    const owner = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'x', uid: 'x' };
    const crd = servedCrd(sampleExport(), {
      annotations: { [annotations.boundIn]: `${home}/a` },
      ownerReferences: [owner],
    });

    expect(ownerWithin(crd, { home, namespace: undefined })).toBeUndefined();
  });
});

describe('a CRD whose binding is gone', () => {
  it('is released to its tenant, with everything on it that others put there', () => {
    const theirs = { apiVersion: 'v1', kind: 'ConfigMap', name: 'x', uid: 'x' };
    const crd = servedCrd(sampleExport(), {
      ownerReferences: [theirs, bindingOwnerReference(sampleBinding())],
      annotations: {
        [annotations.tenant]: 'tenant/uid',
        [annotations.boundIn]: `${home}/klutch-bind`,
        [annotations.onUnbind]: 'Keep',
        [annotations.schema]: 'digest',
        [annotations.keptSchema]: 'packed',
        'example.org/theirs': 'yes',
      },
    });

    expect(farewell(crd)).toEqual({
      type: 'release',
      crd: {
        ...crd,
        metadata: {
          ...crd.metadata,
          ownerReferences: [theirs],
          annotations: {
            [annotations.schema]: 'digest',
            'example.org/theirs': 'yes',
            [annotations.released]: 'tenant/uid',
          },
        },
      },
    });
  });

  it.each([
    ['Remove', 'delete'],
    ['Delete', 'delete'],
    ['Keep', 'release'],
    ['remove', 'release'],
  ])('with the policy %s: %s', (policy, type) => {
    expect(farewell(crdWith({ [annotations.onUnbind]: policy })).type).toBe(type);
  });
});

describe('the finalizer of a binding', () => {
  const binding = (policy: string | undefined, held: boolean, going: boolean): APIServiceBinding =>
    sampleBinding({
      annotations: policy === undefined ? {} : { [annotations.onUnbind]: policy },
      finalizers: held ? [finalizers.unbind] : [],
      ...(going ? { deletionTimestamp: '2026-01-01T00:00:00Z' } : {}),
    });
  const told = crdWith({ [annotations.onUnbind]: 'Delete' });

  it.each<[string | undefined, boolean, boolean, ReturnType<typeof clearing>]>([
    [undefined, false, false, { type: 'nothing' }],
    [undefined, false, true, { type: 'nothing' }],
    ['Remove', false, false, { type: 'nothing' }],
    ['Delete', false, false, { type: 'hold' }],
    // Whoever is going gets no new finalizers.
    ['Delete', false, true, { type: 'nothing' }],
    ['Delete', true, false, { type: 'nothing' }],
    ['Delete', true, true, { type: 'clear' }],
    ['Keep', true, true, { type: 'letGo', mark: { onUnbind: 'Keep' } }],
    ['Nonsense', true, true, { type: 'letGo', mark: { onUnbind: null } }],
    [undefined, true, false, { type: 'letGo', mark: { onUnbind: null } }],
  ])('with the policy %s, held %s, going %s', (policy, held, going, expected) => {
    expect(clearing(binding(policy, held, going), told)).toEqual(expected);
  });

  it('goes at once when the CRD is not the binding’s', () => {
    const foreign = servedCrd(sampleExport(), { ownerReferences: [] });

    expect(clearing(binding('Delete', true, true), foreign)).toEqual({ type: 'letGo' });
    expect(clearing(binding('Delete', true, true), undefined)).toEqual({ type: 'letGo' });
  });

  it('goes without a word when the CRD knows already', () => {
    expect(clearing(binding('Keep', true, true), crdWith({ [annotations.onUnbind]: 'Keep' }))).toEqual({
      type: 'letGo',
    });
  });

  it.each([
    ['Delete', false, true],
    ['Keep', true, true],
    ['Keep', false, false],
    [undefined, false, false],
  ])('concerns a binding with the policy %s, held %s: %s', (policy, held, expected) => {
    expect(isToBeCleared(binding(policy, held, false))).toBe(expected);
  });
});
