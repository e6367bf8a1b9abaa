import { describe, expect, it } from 'vitest';
import { type Absence, evidenceOf } from './evidence.ts';

const absent: Absence = {
  deletionSeen: false,
  confirmed: true,
  sourceCluster: 'us',
  appClusterId: 'us',
  origin: 'here',
  isReleased: false,
};

describe('evidence that an app Namespace was deleted', () => {
  const rows: readonly (readonly [string, Partial<Absence>, string])[] = [
    ['absent from the cluster it was made in, as that cluster says itself', {}, 'gone'],
    ['absent from the cache only', { confirmed: false }, 'confirm'],
    ['seen being deleted', { deletionSeen: true }, 'gone'],
    ['seen being deleted, not yet asked', { deletionSeen: true, confirmed: false }, 'confirm'],
    ['absent from a rebuilt cluster', { sourceCluster: 'another' }, 'unproven'],
    [
      'seen being deleted, but the place is of another cluster',
      { sourceCluster: 'another', deletionSeen: true },
      'unproven',
    ],
    ['absent from a cluster that does not remember it', { origin: 'elsewhere' }, 'unproven'],
    ['absent, and nobody knows since when it was there', { origin: 'unknown' }, 'unproven'],
    [
      'absent from a cluster that does not remember it, but released',
      { origin: 'elsewhere', isReleased: true },
      'gone',
    ],
    ['seen being deleted in a cluster that does not remember it', { origin: 'elsewhere', deletionSeen: true }, 'gone'],
    ['made by a Go konnector, absent since the start', { sourceCluster: undefined }, 'unproven'],
    ['made by a Go konnector, seen being deleted', { sourceCluster: undefined, deletionSeen: true }, 'gone'],
    [
      'made by a Go konnector, seen being deleted, not yet asked',
      { sourceCluster: undefined, deletionSeen: true, confirmed: false },
      'confirm',
    ],
  ];

  it.each(rows)('%s', (_, given, verdict) => {
    expect(evidenceOf({ ...absent, ...given }).verdict).toBe(verdict);
  });

  it('says why absence proves nothing', () => {
    expect(evidenceOf({ ...absent, origin: 'elsewhere' })).toEqual({
      verdict: 'unproven',
      why: 'The app cluster does not remember that it had the Namespace.',
    });
  });
});
