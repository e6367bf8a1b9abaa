import { describe, expect, it } from 'vitest';

import { Bucket } from './bucket.ts';
import { keyRange } from './sorted-entries.ts';
import { StoredEntry } from './stored-entry.ts';
import type { Entry, StoredEvent } from './types.ts';

const entry = (key: string, revision: number) => new StoredEntry('/things', key, revision, '{}', undefined);
const shown = (entries: readonly Entry[]) => entries.map(({ key, revision }) => `${key}@${revision}`).join(' ');

/** A bucket that went through the given writes, and the events of these. A key with a minus is deleted. */
function after(...writes: readonly string[]): { readonly bucket: Bucket; readonly events: readonly StoredEvent[] } {
  const bucket = new Bucket();
  const events = writes.map((write, index): StoredEvent => {
    const revision = index + 1;
    const key = write.replace(/^-/, '');
    const previous = bucket.get(key);
    const current = entry(key, revision);
    if (write.startsWith('-')) bucket.remove(key);
    else bucket.put(current);
    const type = write.startsWith('-') ? 'DELETED' : previous ? 'MODIFIED' : 'ADDED';
    return { type, revision, entry: current, previous };
  });
  return { bucket, events };
}

describe('a bucket before some events', () => {
  const { bucket, events } = after('n/b', 'n/d', 'm/a', 'n/d', 'n/a', '-n/b', 'n/c', '-n/d', 'n/d', '-m/a');

  it.each([
    [10, 'n/a@5 n/c@7 n/d@9'],
    [9, 'm/a@3 n/a@5 n/c@7 n/d@9'],
    [8, 'm/a@3 n/a@5 n/c@7'],
    [7, 'm/a@3 n/a@5 n/c@7 n/d@4'],
    [5, 'm/a@3 n/a@5 n/b@1 n/d@4'],
    [3, 'm/a@3 n/b@1 n/d@2'],
    [1, 'n/b@1'],
    [0, ''],
  ])('is as it was at revision %i', (revision, state) => {
    expect(shown(bucket.allBefore(events.slice(revision)))).toBe(state);
  });

  it.each([
    [keyRange('n'), 'n/a@5 n/b@1 n/d@4'],
    [keyRange('n', 'n/a'), 'n/b@1 n/d@4'],
    [keyRange('n', 'n/a', 1), 'n/b@1'],
    [keyRange(undefined, 'm/a', 2), 'n/a@5 n/b@1'],
    [keyRange(undefined, undefined, 4), 'm/a@3 n/a@5 n/b@1 n/d@4'],
    [keyRange('o'), ''],
  ])('can be read in part: %j', (range, state) => {
    expect(shown(bucket.scanBefore(range, events.slice(5)))).toBe(state);
  });
});
