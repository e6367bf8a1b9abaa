import { describe, expect, it } from 'vitest';
import type { Metadata } from '../../objects/api-object.ts';
import { decideGarbage, type OwnerState, type SeenObject, type Verdict } from './decide.ts';

const DELETED = '2026-01-01T00:00:00Z';

interface Row {
  readonly when: string;
  readonly metadata?: Metadata;
  /** States of the owners; `!` marks one that the object blocks. */
  readonly owners?: readonly (OwnerState | `${OwnerState}!`)[];
  readonly dependents?: SeenObject['dependents'];
  readonly isBlocked?: boolean;
  readonly verdict: Verdict;
}

const rows: readonly Row[] = [
  { when: 'it has no owners', verdict: { do: 'nothing' } },
  { when: 'its owner is there', owners: ['solid'], verdict: { do: 'nothing' } },
  { when: 'its owner is gone', owners: ['absent'], verdict: { do: 'delete', propagation: 'Background' } },
  { when: 'all owners are gone', owners: ['absent', 'absent'], verdict: { do: 'delete', propagation: 'Background' } },
  {
    when: 'one of its owners is gone',
    owners: ['solid', 'absent'],
    verdict: { do: 'dropOwners', uids: ['1'] },
  },
  {
    when: 'one of its owners waits for dependents',
    owners: ['waiting!', 'solid', 'absent'],
    verdict: { do: 'dropOwners', uids: ['0', '2'] },
  },
  {
    when: 'its only owner waits for dependents',
    owners: ['waiting!'],
    verdict: { do: 'delete', propagation: 'Background' },
  },
  {
    when: 'its only owner waits, and it has dependents itself',
    owners: ['waiting!'],
    dependents: 'some',
    verdict: { do: 'delete', propagation: 'Foreground' },
  },
  {
    when: 'its only owner waits, and so does a dependent of its own',
    owners: ['waiting!'],
    dependents: 'waiting',
    verdict: { do: 'unblockOwners' },
  },
  {
    when: 'its only owner waits, so does a dependent, and it blocks nothing',
    owners: ['waiting'],
    dependents: 'waiting',
    verdict: { do: 'delete', propagation: 'Foreground' },
  },
  {
    when: 'its owners are gone, and it is to leave orphans',
    metadata: { finalizers: ['a', 'orphan'] },
    owners: ['absent'],
    verdict: { do: 'delete', propagation: 'Orphan' },
  },
  {
    when: 'its owners are gone, and its dependents are to go first',
    metadata: { finalizers: ['foregroundDeletion'] },
    owners: ['absent'],
    verdict: { do: 'delete', propagation: 'Foreground' },
  },
  { when: 'the kind of its owner is unknown', owners: ['unknown'], verdict: { do: 'leave' } },
  { when: 'one owner is gone and one of unknown kind', owners: ['absent', 'unknown'], verdict: { do: 'leave' } },
  { when: 'one owner is there and one of unknown kind', owners: ['solid', 'unknown'], verdict: { do: 'leave' } },
  { when: 'its owner is inside a namespace and it is not', owners: ['misplaced'], verdict: { do: 'leave' } },
  { when: 'one owner is gone and one misplaced', owners: ['misplaced', 'absent'], verdict: { do: 'leave' } },
  {
    when: 'it is being deleted, whatever its owners',
    metadata: { deletionTimestamp: DELETED, finalizers: ['a'] },
    owners: ['absent'],
    verdict: { do: 'nothing' },
  },
  {
    when: 'it is being deleted and to leave orphans',
    metadata: { deletionTimestamp: DELETED, finalizers: ['orphan'] },
    dependents: 'some',
    isBlocked: true,
    verdict: { do: 'orphanDependents' },
  },
  {
    when: 'it waits for dependents that block it',
    metadata: { deletionTimestamp: DELETED, finalizers: ['foregroundDeletion'] },
    dependents: 'some',
    isBlocked: true,
    verdict: { do: 'nothing' },
  },
  {
    when: 'it waits, but no dependent blocks it',
    metadata: { deletionTimestamp: DELETED, finalizers: ['foregroundDeletion', 'a'] },
    dependents: 'some',
    verdict: { do: 'release' },
  },
  {
    when: 'it waits and has no dependents',
    metadata: { deletionTimestamp: DELETED, finalizers: ['foregroundDeletion'] },
    owners: ['absent'],
    verdict: { do: 'release' },
  },
];

describe('the verdict about an object', () => {
  it.each(rows)('when $when', ({ metadata = {}, owners = [], dependents = 'none', isBlocked = false, verdict }) => {
    const named = owners.map((text, index) => ({
      reference: { apiVersion: 'v1', kind: 'X', name: 'x', uid: String(index), blockOwnerDeletion: text.endsWith('!') },
      state: text.replace('!', '') as OwnerState,
    }));
    expect(decideGarbage({ metadata, owners: named, dependents, isBlocked })).toEqual(verdict);
  });
});
