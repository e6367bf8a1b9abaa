import { describe, expect, it } from 'vitest';

import type { ApiObject, Json, JsonObject } from '../objects/api-object.ts';
import { applyPatch } from './apply-patch.ts';
import { ownedIn, sample, sampleScope, stored } from './sample-kind.ts';
import { trackUpdate } from './track-update.ts';

const ANNOTATION = 'kubectl.kubernetes.io/last-applied-configuration';
const now = new Date('2030-01-01T00:00:00Z');
const scope = sampleScope();

/** An object as `kubectl apply` without `--server-side` leaves it. */
function appliedByClient(spec: JsonObject, annotation = JSON.stringify(sample(spec))): ApiObject {
  const updated = { ...sample(spec), metadata: { name: 'x', annotations: { [ANNOTATION]: annotation } } };
  return stored(trackUpdate({ scope, updated, manager: 'kubectl-client-side-apply', now }));
}

function apply(live: ApiObject, manager: string, spec: JsonObject, metadata: JsonObject = { name: 'x' }) {
  const applied = { apiVersion: 'example.org/v1', kind: 'Sample', metadata, spec };
  return applyPatch({ scope, live, applied, manager, force: false, now });
}

const objectOf = (result: ReturnType<typeof apply>) => {
  if ('conflicts' in result) throw new Error('there are conflicts');
  return result.object;
};
const conflictCount = (result: ReturnType<typeof apply>) => ('conflicts' in result ? result.conflicts.length : 0);

describe('moving from client-side to server-side apply', () => {
  it('lets kubectl take over what it applied before', () => {
    const moved = objectOf(apply(appliedByClient({ size: 1, text: 'a' }), 'kubectl', { size: 2, text: 'a' }));
    expect(moved.spec).toEqual({ size: 2, text: 'a' });
    expect(ownedIn(moved)['kubectl (Apply)']).toEqual(['.spec.size', '.spec.text']);
    expect(ownedIn(moved)['kubectl-client-side-apply (Update)']).not.toContain('.spec.size');
  });

  it('lets nobody else', () => {
    expect(conflictCount(apply(appliedByClient({ size: 1 }), 'other', { size: 2 }))).toBe(1);
  });

  it('does not help where someone has changed the value since', () => {
    const live = appliedByClient({ size: 1, text: 'a' });
    const updated = { ...live, spec: { size: 5, text: 'a' } };
    const changed = trackUpdate({ scope, live, updated, manager: 'someone', now });
    const result = apply(changed, 'kubectl', { size: 2, text: 'b' });
    expect(conflictCount(result)).toBe(1);
    expect('conflicts' in result && result.conflicts[0]?.path).toEqual(['f:spec', 'f:size']);
  });

  it.each([
    ['no JSON', '{'],
    ['no object', '[]'],
    ['empty', ''],
    ['of another version', JSON.stringify({ ...sample({ size: 1 }), apiVersion: 'example.org/v2' })],
    ['of another shape', JSON.stringify(sample({ unknown: 1 }))],
  ])('does not help when the record is %s', (_, annotation) => {
    expect(conflictCount(apply(appliedByClient({ size: 1 }, annotation), 'kubectl', { size: 2 }))).toBe(1);
  });

  it('does not help without a record', () => {
    const live = stored(trackUpdate({ scope, updated: sample({ size: 1 }), manager: 'creator', now }));
    expect(conflictCount(apply(live, 'kubectl', { size: 2 }))).toBe(1);
  });
});

describe('the record of what was applied', () => {
  it('is kept up to date for kubectl, as Go writes it', () => {
    const object = objectOf(
      apply(appliedByClient({ size: 1 }), 'kubectl', { text: '<a> & b', size: 1 }, { labels: { l: '1' } }),
    );
    expect(object.metadata.annotations?.[ANNOTATION]).toBe(
      '{"apiVersion":"example.org/v1","kind":"Sample","metadata":{"labels":{"l":"1"}},"spec":{"size":1,"text":"\\u003ca\\u003e \\u0026 b"}}\n',
    );
    expect(ownedIn(object)['kubectl-client-side-apply (Update)']).toContain(`.metadata.annotations.${ANNOTATION}`);
  });

  it('does not contain itself', () => {
    const metadata = { annotations: { [ANNOTATION]: 'old', other: 'x' } };
    const live = appliedByClient({ size: 1 }, 'old');
    const object = objectOf(apply(live, 'kubectl', { size: 1 }, metadata));
    const record = JSON.parse(object.metadata.annotations?.[ANNOTATION] ?? '') as Json;
    expect(record).toEqual({
      apiVersion: 'example.org/v1',
      kind: 'Sample',
      metadata: { annotations: { other: 'x' } },
      spec: { size: 1 },
    });
  });

  it('is left alone for others, and not started', () => {
    const live = appliedByClient({ size: 1 });
    expect(objectOf(apply(live, 'other', { text: 'x' })).metadata.annotations).toEqual(live.metadata.annotations);
    const plain = stored(trackUpdate({ scope, updated: sample({ size: 1 }), manager: 'creator', now }));
    expect(objectOf(apply(plain, 'kubectl', { text: 'x' })).metadata.annotations).toBeUndefined();
  });

  it('goes when it would be too large', () => {
    const object = objectOf(apply(appliedByClient({ size: 1 }), 'kubectl', { size: 1, text: 'x'.repeat(256 * 1024) }));
    expect(object.metadata.annotations).toEqual({});
  });
});
