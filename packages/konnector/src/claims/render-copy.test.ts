import { annotations, labels } from '@klutch/api';
import { describe, expect, it } from 'vitest';
import { ruleWith, secretOf, sources } from './claim.fixture.ts';
import { contentOf, hasContent, hasMetadata, needsNewObject, renderCopy, renderUpdate } from './render-copy.ts';

const original = {
  ...secretOf(
    {
      name: 'db',
      namespace: 'x-team-a',
      uid: 'original-1',
      resourceVersion: '7',
      generation: 3,
      creationTimestamp: '2026-01-01T00:00:00Z',
      finalizers: ['example.org/keep'],
      ownerReferences: [{ apiVersion: 'v1', kind: 'Pod', name: 'p', uid: 'p-1' }],
      managedFields: [{ manager: 'crossplane' }],
      labels: { team: 'blue', 'crossplane.io/claim': 'x' },
      annotations: {
        note: 'n',
        'kubectl.kubernetes.io/last-applied-configuration': '{}',
        [annotations.resourceOwner]: 'Provider',
      },
    },
    { password: 'cDE=' },
  ),
  status: { phase: 'x' },
};
const place = { namespace: 'team-a', name: 'db' };

describe('a copy', () => {
  it('has the content and the metadata of people, and marks, and nothing else', () => {
    const { metadata, ...copy } = renderCopy('Provider', original, place, ruleWith(), sources);
    expect(copy).toEqual({ apiVersion: 'v1', kind: 'Secret', type: 'Opaque', data: { password: 'cDE=' } });
    expect(Object.keys(metadata).sort()).toEqual(['annotations', 'labels', 'name', 'namespace']);
    expect(metadata).toMatchObject(place);
    expect(metadata.labels).toEqual({ team: 'blue', [labels.claimedFrom]: 'Provider' });
    expect(metadata.annotations).toEqual({
      note: 'n',
      [annotations.resourceOwner]: 'Provider',
      [annotations.sourceCluster]: sources.Provider,
      [annotations.sourceUid]: 'original-1',
      [annotations.applied]: expect.any(String),
    });
  });

  it('on the control plane has no label of ours', () => {
    expect(renderCopy('Consumer', original, place, ruleWith(), sources).metadata.labels).toEqual({ team: 'blue' });
  });

  it('gets only the metadata that the claim lets through', () => {
    const rule = ruleWith({ update: { labels: [{ pattern: 'x-*' }], annotations: [{ pattern: 'no*' }] } });
    const { metadata } = renderCopy('Provider', original, place, rule, sources);
    expect(metadata.labels).toEqual({ [labels.claimedFrom]: 'Provider' });
    expect(metadata.annotations).toMatchObject({ note: 'n' });
  });

  it('keeps fields that must not follow, once it exists', () => {
    const copy = secretOf(place, { password: 'old', local: 'x' });
    const only = ruleWith({ update: { fields: ['data.password'] } });
    const except = ruleWith({ update: { preserving: ['data.local'] } });
    const source = { ...original, type: 'example.org/db' };
    const content = (rule: typeof only, existing?: typeof copy) =>
      contentOf(renderCopy('Provider', source, place, rule, sources, existing));
    expect(content(only)).toEqual({ type: 'example.org/db', data: { password: 'cDE=' } });
    expect(content(only, copy)).toEqual({ type: 'Opaque', data: { password: 'cDE=', local: 'x' } });
    expect(content(except, copy)).toEqual({ type: 'example.org/db', data: { password: 'cDE=', local: 'x' } });
  });
});

describe('a copy in step', () => {
  const wanted = renderCopy('Provider', original, place, ruleWith(), sources);

  it('may have metadata of others, but no content of others', () => {
    const extra = {
      ...wanted,
      metadata: { ...wanted.metadata, annotations: { ...wanted.metadata.annotations, more: '1' } },
    };
    expect(hasMetadata(extra, wanted)).toBe(true);
    expect(hasMetadata(wanted, extra)).toBe(false);
    expect(hasContent({ ...wanted, data: { password: 'cDE=', more: 'eA==' } }, wanted)).toBe(false);
  });

  it('has to be made anew for another type, and when it is fixed', () => {
    expect(needsNewObject(wanted, wanted)).toBe(false);
    expect(needsNewObject({ ...wanted, data: {} }, wanted)).toBe(false);
    expect(needsNewObject({ ...wanted, type: 'x' }, wanted)).toBe(true);
    expect(needsNewObject({ ...wanted, immutable: true }, wanted)).toBe(true);
    expect(needsNewObject({ ...wanted, kind: 'Widget', type: 'x' }, { ...wanted, kind: 'Widget' })).toBe(false);
  });
});

describe('an update', () => {
  it('drops labels and annotations that were ours, and keeps those of others', () => {
    const entry = (manager: string, keys: readonly string[]) => ({
      manager,
      fieldsV1: { 'f:metadata': { 'f:labels': Object.fromEntries(keys.map((key) => [`f:${key}`, {}])) } },
    });
    const copy = {
      ...secretOf({
        ...place,
        uid: 'copy-1',
        resourceVersion: '9',
        finalizers: ['example.org/hold'],
        labels: { ours: '1', gos: '1', theirs: '1' },
        managedFields: [entry('us', ['ours']), entry('go', ['gos']), entry('else', ['theirs']), { manager: 'us' }],
      }),
      status: { seen: true },
    };
    const wanted = secretOf({ ...place, labels: { fresh: '1' } }, { password: 'cDI=' });
    const update = renderUpdate(copy, wanted, ['us', 'go']);
    expect(update.metadata).toEqual({
      ...place,
      uid: 'copy-1',
      resourceVersion: '9',
      finalizers: ['example.org/hold'],
      labels: { theirs: '1', fresh: '1' },
      annotations: {},
    });
    expect(update).toMatchObject({ data: { password: 'cDI=' }, status: { seen: true } });
  });
});
