import { annotations, finalizers } from '@klutch/api';
import type { ResourceType, UnknownObject } from '@klutch/kube';
import { describe, expect, it } from 'vitest';
import { defaultMetadataRules } from './metadata-rules.ts';
import { type RenderContext, wantedCopy, wantedOriginal } from './render.ts';

const type: ResourceType = { group: 'example.org', version: 'v1', plural: 'widgets', kind: 'Widget', namespaced: true };
const context: RenderContext = {
  api: { appType: type, controlPlaneType: { ...type, version: 'v2' }, isolation: 'ServiceNamespace' },
  tenant: { clusterNamespace: 'x', uid: 'x-uid' },
  appClusterId: 'here',
  metadata: defaultMetadataRules,
};
const original: UnknownObject = {
  apiVersion: 'example.org/v1',
  kind: 'Widget',
  metadata: {
    name: 'w',
    generateName: 'w-',
    namespace: 'team',
    uid: 'u1',
    resourceVersion: '7',
    generation: 3,
    creationTimestamp: '2026-01-01T00:00:00Z',
    labels: { team: 'a' },
    annotations: { 'example.org/note': 'hi', [annotations.bound]: 'true' },
    finalizers: [finalizers.syncer, 'example.org/other'],
    ownerReferences: [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'c', uid: 'c1' }],
    managedFields: [{}],
  },
  spec: { size: 1 },
  extra: ['more'],
  status: { phase: 'x' },
};
const place = { namespace: 'x-team', name: 'w' };

describe('the copy of an original', () => {
  it('has its content, its travelling metadata and our marks, and nothing else', () => {
    const copy = wantedCopy(original, place, context);
    expect(copy).toEqual({
      apiVersion: 'example.org/v2',
      kind: 'Widget',
      metadata: {
        name: 'w',
        namespace: 'x-team',
        labels: { team: 'a' },
        annotations: {
          'example.org/note': 'hi',
          [annotations.bound]: 'true',
          [annotations.clusterNamespace]: 'x',
          [annotations.sourceCluster]: 'here',
          [annotations.sourceUid]: 'u1',
          [annotations.applied]: expect.stringMatching(/^[\w-]{27}$/) as string,
        },
      },
      spec: { size: 1 },
      extra: ['more'],
    });
  });

  it('belongs to the cluster namespace when it is cluster-scoped', () => {
    const { metadata } = wantedCopy(original, { name: 'x-w' }, context);
    expect(metadata.ownerReferences).toEqual([{ apiVersion: 'v1', kind: 'Namespace', name: 'x', uid: 'x-uid' }]);
    expect(metadata).not.toHaveProperty('namespace');
  });

  const digest = (object: UnknownObject) =>
    wantedCopy(object, place, context).metadata.annotations?.[annotations.applied];

  it('has another digest for whatever is wanted differently', () => {
    const { metadata } = original;
    const changes: UnknownObject[] = [
      { ...original, spec: { size: 2 } },
      { ...original, spec: {} },
      { ...original, extra: [] },
      { ...original, metadata: { ...metadata, labels: {} } },
      { ...original, metadata: { ...metadata, uid: 'u2' } },
    ];
    expect(new Set([original, ...changes].map(digest)).size).toBe(changes.length + 1);
  });

  it('has the same digest when only the app cluster is concerned', () => {
    const { metadata } = original;
    expect(digest({ ...original, status: {} })).toBe(digest(original));
    expect(digest({ ...original, metadata: { ...metadata, resourceVersion: '8', generation: 4 } })).toBe(
      digest(original),
    );
    const applied = { ...metadata.annotations, 'kubectl.kubernetes.io/last-applied-configuration': '{}' };
    expect(digest({ ...original, metadata: { ...metadata, annotations: applied } })).toBe(digest(original));
  });
});

describe('the original for an object of the control plane', () => {
  it('has its content and travelling metadata, is bound and handled, and nothing else', () => {
    const above = { ...original, metadata: { ...original.metadata, namespace: 'x-team' } };
    expect(wantedOriginal(above, { namespace: 'team', name: 'w' }, context)).toEqual({
      apiVersion: 'example.org/v1',
      kind: 'Widget',
      metadata: {
        name: 'w',
        namespace: 'team',
        labels: { team: 'a' },
        annotations: { 'example.org/note': 'hi', [annotations.bound]: 'true' },
        finalizers: [finalizers.syncer],
      },
      spec: { size: 1 },
      extra: ['more'],
    });
  });
});
