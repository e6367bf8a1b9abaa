import { describe, expect, it } from 'vitest';

import { History } from './history.ts';
import { StoredEntry } from './stored-entry.ts';
import type { StoredEvent } from './types.ts';

const text = (length: number) => 'x'.repeat(length);

function modified(revision: number, { bucket = '/things', previousJson = '{}' } = {}): StoredEvent {
  const entry = new StoredEntry(bucket, 'n/a', revision, '{}', undefined);
  const previous = new StoredEntry(bucket, 'n/a', revision - 1, previousJson, undefined);
  return { type: 'MODIFIED', revision, entry, previous };
}

function historyOf(events: readonly StoredEvent[], limit?: ConstructorParameters<typeof History>[1]): History {
  const history = new History(1, limit);
  for (const event of events) history.append(event);
  return history;
}

const revisions = (events: readonly StoredEvent[]) => events.map(({ revision }) => revision);

describe('history', () => {
  it('gives the events of one bucket after a revision', () => {
    const history = historyOf([modified(2), modified(3, { bucket: '/others' }), modified(4), modified(6)]);

    expect(revisions(history.after('/things', 1))).toEqual([2, 4, 6]);
    expect(revisions(history.after('/things', 4))).toEqual([6]);
    expect(revisions(history.after('/things', 5))).toEqual([6]);
    expect(revisions(history.after('/things', 9))).toEqual([]);
    expect(revisions(history.after('/nothing', 0))).toEqual([]);
  });

  it('forgets the oldest beyond a number of events, and says from where it goes', () => {
    const history = historyOf([modified(2), modified(3), modified(5), modified(8)], { events: 2 });

    history.trim(8);

    expect(history.oldestRevision).toBe(3);
    expect(revisions(history.after('/things', 3))).toEqual([5, 8]);
  });

  it('forgets the oldest beyond an amount of text that nothing else holds', () => {
    const large = { previousJson: text(5_000) };
    const history = historyOf([modified(2, large), modified(3, large), modified(4, large)], { bytes: 12_000 });

    history.trim(4);

    expect(revisions(history.after('/things', 0))).toEqual([3, 4]);
  });

  it('keeps what is not safe yet, whatever the limits', () => {
    const history = historyOf([modified(2), modified(3), modified(4)], { events: 1 });

    history.trim(2);

    expect(revisions(history.after('/things', 0))).toEqual([3, 4]);
    expect(history.oldestRevision).toBe(2);
  });

  it('forgets up to a revision on demand, never less than before', () => {
    const history = historyOf([modified(2), modified(3, { bucket: '/others' }), modified(6)]);

    history.forget(4);
    history.forget(2);

    expect(history.oldestRevision).toBe(4);
    expect(revisions(history.after('/things', 0))).toEqual([6]);
    expect(revisions(history.after('/others', 0))).toEqual([]);
  });

  it('takes back the newest only', () => {
    const history = historyOf([modified(2), modified(3, { bucket: '/others' })]);

    expect(history.takeNewest(2)?.revision).toBe(3);
    expect(history.takeNewest(2)).toBeUndefined();
    expect(revisions(history.after('/others', 0))).toEqual([]);
    expect(revisions(history.after('/things', 0))).toEqual([2]);
  });

  it('stays correct while thousands of events pass through', () => {
    const history = new History(1, { events: 100 });
    for (let revision = 2; revision < 5_000; revision += 1) {
      history.append(modified(revision));
      history.trim(revision);
    }

    expect(history.oldestRevision).toBe(4_899);
    expect(history.after('/things', 0)).toHaveLength(100);
  });
});
