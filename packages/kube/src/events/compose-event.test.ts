import { describe, expect, it } from 'vitest';
import type { KubeObject } from '../objects/meta.ts';
import { composeEvent, identityOf, subjectOf } from './compose-event.ts';

const date = new Date('2026-03-01T12:00:00.345Z');
const source = { component: 'klutch-konnector', instance: 'konnector-0' };
const note = { type: 'Warning', reason: 'Rejected', message: 'The control plane rejected it.' } as const;
const claim: KubeObject = {
  apiVersion: 'anynines.com/v1',
  kind: 'PostgresqlInstance',
  metadata: { name: 'db', namespace: 'team-a', uid: 'u1', resourceVersion: '9', labels: { secret: 'no' } },
};
const named = (name: string): KubeObject => ({ ...claim, metadata: { name } });
const compose = (object: KubeObject, changes = {}, unique = 0) =>
  composeEvent(object, { ...note, ...changes }, source, date, unique);

describe('composing an Event', () => {
  it('says what happened to which object, when, and who noticed', () => {
    expect(compose(claim)).toEqual({
      apiVersion: 'v1',
      kind: 'Event',
      metadata: { name: `db.${(1_772_366_400_345n * 1_000_000n).toString(16)}`, namespace: 'team-a' },
      involvedObject: {
        apiVersion: 'anynines.com/v1',
        kind: 'PostgresqlInstance',
        name: 'db',
        namespace: 'team-a',
        uid: 'u1',
        resourceVersion: '9',
      },
      type: 'Warning',
      reason: 'Rejected',
      message: 'The control plane rejected it.',
      count: 1,
      firstTimestamp: '2026-03-01T12:00:00Z',
      lastTimestamp: '2026-03-01T12:00:00Z',
      source: { component: 'klutch-konnector', host: 'konnector-0' },
      reportingComponent: 'klutch-konnector',
      reportingInstance: 'konnector-0',
    });
  });

  it('puts events of cluster-scoped objects into the namespace default', () => {
    const event = compose(named('team-a'));

    expect(event.metadata.namespace).toBe('default');
    expect(event.involvedObject.namespace).toBeUndefined();
  });

  it('gives events of the same millisecond different names', () => {
    expect(compose(claim, {}, 1).metadata.name).not.toBe(compose(claim, {}, 2).metadata.name);
  });

  it.each([
    ['system:node', /^system-node\.[0-9a-f]+$/],
    ['Upper_Case', /^upper-case\.[0-9a-f]+$/],
    ['::', /^event\.[0-9a-f]+$/],
    ['a'.repeat(253), /^a{236}\.[0-9a-f]{16}$/],
    [`${'a'.repeat(235)}.b`, /^a{235}\.[0-9a-f]{16}$/],
  ])('gives an event of object %s a valid name', (name, expected) => {
    const eventName = compose(named(name)).metadata.name ?? '';

    expect(eventName).toMatch(expected);
    expect(eventName.length).toBeLessThanOrEqual(253);
  });

  it('cuts a long message at 1024 bytes', () => {
    const { message } = compose(claim, { message: 'ä'.repeat(2_000) });

    expect(Buffer.byteLength(message)).toBeLessThanOrEqual(1_024);
    expect(message.endsWith('ä…')).toBe(true);
  });
});

describe('identity of an event', () => {
  it('does not depend on the version of the object or on the time', () => {
    const later = { ...claim, metadata: { ...claim.metadata, resourceVersion: '10' } };

    expect(identityOf(composeEvent(later, note, source, new Date(0), 7))).toBe(identityOf(compose(claim)));
    expect(subjectOf(compose(later))).toBe(subjectOf(compose(claim)));
  });

  it.each([
    ['type', compose(claim, { type: 'Normal' })],
    ['reason', compose(claim, { reason: 'Other' })],
    ['message', compose(claim, { message: 'Other.' })],
    ['object', compose({ ...claim, metadata: { ...claim.metadata, uid: 'u2' } })],
    ['kind', compose({ ...claim, kind: 'Backup' })],
  ])('differs for another %s', (_what, event) => {
    expect(identityOf(event)).not.toBe(identityOf(compose(claim)));
  });
});
