import { annotations } from '@klutch/api';
import type { UnknownObject } from '@klutch/kube';
import { describe, expect, it } from 'vitest';
import { secretOf, sources } from './claim.fixture.ts';
import { copyMarks, type Owner, type Role, roleOf } from './copy-marks.ts';

const original = secretOf({ name: 'db', namespace: 'x-team-a', uid: 'original-1' });

/** A copy as it is made at `place`, found at `at`. */
function copyOf(owner: Owner, place: string, at = place, from = sources): UnknownObject {
  const marks = copyMarks(owner, original, { namespace: 'team-a', name: place }, {}, from);
  return secretOf({ name: at, namespace: 'team-a', uid: 'copy-1', ...marks });
}

const marked = (notes: Readonly<Record<string, string>>) =>
  secretOf({ name: 'db', namespace: 'team-a', annotations: notes });

describe('what an object is', () => {
  type Row = readonly [string, UnknownObject, Owner, Role];
  const owned = (value: string) => marked({ [annotations.resourceOwner]: value });
  const elsewhere = { Provider: 'other-tenant', Consumer: 'other-cluster' };
  const rows: readonly Row[] = [
    ['nobody marked it', marked({}), 'Consumer', 'plain'],
    ['marked as owned by the user, in the app cluster', owned('Consumer'), 'Consumer', 'original'],
    ['marked as owned by the provider, on the control plane', owned('Provider'), 'Provider', 'original'],
    ['a Go copy in the app cluster', owned('Provider'), 'Consumer', 'oldCopy'],
    ['a Go copy on the control plane', owned('Consumer'), 'Provider', 'oldCopy'],
    ['an owner nobody knows', owned('Somebody'), 'Consumer', 'foreign'],
    ['our copy in the app cluster', copyOf('Provider', 'db'), 'Consumer', 'copy'],
    ['our copy on the control plane', copyOf('Consumer', 'db'), 'Provider', 'copy'],
    ['what a person made from our copy', copyOf('Provider', 'db', 'db-2'), 'Consumer', 'plain'],
    ['a copy from another control plane', copyOf('Provider', 'db', 'db', elsewhere), 'Consumer', 'foreign'],
    [
      'a copy of a cluster whose place was taken over',
      copyOf('Consumer', 'db', 'db', elsewhere),
      'Provider',
      'oldCopy',
    ],
  ];
  it.each(rows)('%s', (_, object, side, role) => {
    expect(roleOf(object, side, { sources, neverTravels: false })).toBe(role);
  });

  it('stays a copy when somebody strips its marks while we know it', () => {
    const stripped = secretOf({ name: 'db', namespace: 'team-a', uid: 'copy-1' });
    expect(roleOf(stripped, 'Consumer', { sources, neverTravels: false, copyUid: 'copy-1' })).toBe('copy');
    expect(roleOf(stripped, 'Consumer', { sources, neverTravels: false, copyUid: 'copy-2' })).toBe('plain');
  });

  it('is foreign when it never travels, unless it is our own copy', () => {
    expect(roleOf(marked({}), 'Consumer', { sources, neverTravels: true })).toBe('foreign');
    expect(roleOf(copyOf('Provider', 'db'), 'Consumer', { sources, neverTravels: true })).toBe('copy');
  });
});

describe('the marks of a copy', () => {
  it('tell nothing of its content', () => {
    const of = (password: string) =>
      copyMarks('Provider', secretOf({ name: 'db', uid: 'u' }, { password }), { name: 'db' }, {}, sources);
    expect(of('one')).toEqual(of('two'));
  });

  it('change with its metadata, in whatever order that comes', () => {
    const applied = (entries: Readonly<Record<string, string>>) =>
      copyMarks('Provider', original, { name: 'db' }, { labels: entries }, sources).annotations[annotations.applied];
    expect(applied({ a: '1', b: '2' })).toBe(applied({ b: '2', a: '1' }));
    expect(applied({ a: '1' })).not.toBe(applied({ a: '2' }));
  });
});
