import { annotations } from '@klutch/api';
import type { UnknownObject } from '@klutch/kube';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Isolation } from '../instances/bound-api.ts';
import type { Mapping } from '../namespaces/namespace-map.ts';
import { createPlacement } from './placement.ts';

function placementOf(isolation: Isolation, tenant = 'x', mappings: Record<string, Mapping> = {}) {
  return createPlacement({
    isolation,
    tenant,
    namespaces: {
      of: (name) => mappings[name] ?? { state: 'unknown' },
      appNamespaceOf: (service) =>
        Object.entries(mappings).find(([, one]) => 'serviceNamespace' in one && one.serviceNamespace === service)?.[0],
    },
  });
}

const objectAt = (ref: { name: string; namespace?: string }, tenant?: string): UnknownObject => ({
  apiVersion: 'example.org/v1',
  kind: 'Widget',
  metadata: { ...ref, annotations: tenant === undefined ? {} : { [annotations.clusterNamespace]: tenant } },
});

describe('a namespaced API', () => {
  const since = new Date(0);
  const placement = placementOf('ServiceNamespace', 'x', {
    ready: { state: 'ready', serviceNamespace: 'x-ready' },
    ending: { state: 'ending', serviceNamespace: 'x-ending' },
    waiting: { state: 'waiting', since, problem: 'slow' },
    refused: { state: 'refused', problem: 'too long' },
  });

  it.each([
    ['ready', { state: 'at', ref: { namespace: 'x-ready', name: 'w' }, ending: false }],
    ['ending', { state: 'at', ref: { namespace: 'x-ending', name: 'w' }, ending: true }],
    ['waiting', { state: 'waiting', since, problem: 'slow' }],
    ['refused', { state: 'refused', problem: 'too long' }],
    ['never-heard-of', { state: 'unknown', namespace: 'never-heard-of' }],
  ])('has its copies where the mapping says: %s', (namespace, place) => {
    expect(placement.copyOf({ namespace, name: 'w' })).toEqual(place);
  });

  it('knows the originals of objects in its namespaces, and of no others', () => {
    expect(placement.originalOf(objectAt({ namespace: 'x-ready', name: 'w' }))).toEqual({
      namespace: 'ready',
      name: 'w',
    });
    expect(placement.originalOf(objectAt({ namespace: 'x-other', name: 'w' }))).toBeUndefined();
    expect(placement.ground).toBe('own');
  });
});

describe('a cluster-scoped API', () => {
  it.each<[Isolation, string, { name: string; namespace?: string }, 'own' | 'shared']>([
    ['Prefixed', 'w', { name: 'x-w' }, 'shared'],
    ['None', 'w', { name: 'w' }, 'shared'],
    ['Namespaced', 'w', { namespace: 'x', name: 'w' }, 'own'],
  ])('with isolation %s has its copies in one place', (isolation, name, ref, ground) => {
    const placement = placementOf(isolation);
    expect(placement.copyOf({ name })).toEqual({ state: 'at', ref, ending: false });
    expect(placement.originalOf(objectAt(ref, 'x'))).toEqual({ name });
    expect(placement.ground).toBe(ground);
  });

  it.each<[string, Isolation, UnknownObject]>([
    ['a name with our prefix and no tenant', 'Prefixed', objectAt({ name: 'x-w' })],
    ['a name with our prefix of a tenant that begins like us', 'Prefixed', objectAt({ name: 'x-y-w' }, 'x-y')],
    ['our tenant without prefix', 'Prefixed', objectAt({ name: 'w' }, 'x')],
    ['our tenant with nothing but the prefix', 'Prefixed', objectAt({ name: 'x-' }, 'x')],
    ['a name without tenant', 'None', objectAt({ name: 'w' })],
    ['a name of another tenant', 'None', objectAt({ name: 'w' }, 'y')],
    ['an object in another namespace', 'Namespaced', objectAt({ namespace: 'y', name: 'w' }, 'x')],
  ])('does not take for ours: %s', (_, isolation, object) => {
    expect(placementOf(isolation).originalOf(object)).toBeUndefined();
  });

  it('finds back from every copy to its original, and never to that of another tenant', () => {
    const anyName = fc.stringMatching(/^[a-z]([-a-z]{0,6}[a-z])?$/);
    const anyIsolation = fc.constantFrom<Isolation>('Prefixed', 'None', 'Namespaced');
    fc.assert(
      fc.property(anyName, anyName, anyName, anyIsolation, (tenant, other, name, isolation) => {
        const place = placementOf(isolation, tenant).copyOf({ name });
        if (place.state !== 'at') throw new Error('a cluster-scoped object always has a place');
        const copy = objectAt(place.ref, tenant);
        expect(placementOf(isolation, tenant).originalOf(copy)).toEqual({ name });
        if (other !== tenant) expect(placementOf(isolation, other).originalOf(copy)).toBeUndefined();
      }),
    );
  });
});
