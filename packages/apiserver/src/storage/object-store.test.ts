import { describe, expect, it } from 'vitest';

import type { ApiObject } from '../objects/api-object.ts';
import { StatusError } from '../status/status-error.ts';
import type { JournalOwner } from './journal/journal.ts';
import { ObjectStore } from './object-store.ts';
import { openStore } from './open-store.ts';
import { StorageError } from './storage-error.ts';
import type { Store, StoredEvent } from './types.ts';

const BUCKET = '/configmaps';

function configMap(name: string, fields: { labels?: Record<string, string>; value?: string } = {}): ApiObject {
  const { labels, value = '' } = fields;
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name, namespace: 'n', ...(labels ? { labels } : {}) },
    data: { value },
  };
}

async function put(store: Store, name: string, fields?: Parameters<typeof configMap>[1], expected?: number) {
  const written = store.commit({ bucket: BUCKET, key: `n/${name}`, object: configMap(name, fields), expected });
  return written === undefined ? undefined : await written;
}

async function remove(store: Store, name: string, expected?: number) {
  const removed = store.commit({ bucket: BUCKET, key: `n/${name}`, object: undefined, expected });
  return removed === undefined ? undefined : await removed;
}

const keysOf = (entries: readonly { key: string }[]) => entries.map(({ key }) => key);
const summary = ({ type, entry, revision }: StoredEvent) => `${type} ${entry.key}@${revision}`;

/** A store whose writes become safe, or fail, when the test says so. */
function storeWithHeldJournal(options: { historyLimit?: { events: number } } = {}) {
  const store = new ObjectStore({ buckets: new Map(), revision: 1, ...options });
  store.attach({ append: () => undefined, close: async () => undefined });
  const owner: JournalOwner = store;
  return { store, owner };
}

async function caught(promise: Promise<unknown> | undefined): Promise<unknown> {
  try {
    await promise;
  } catch (error) {
    return error;
  }
  throw new Error('nothing was thrown');
}

function thrownBy(action: () => unknown): unknown {
  try {
    action();
  } catch (error) {
    return error;
  }
  throw new Error('nothing was thrown');
}

describe('the size of an object', () => {
  const sized = (bytes: number, character = 'x') => {
    const frame = JSON.stringify({ ...configMap('a'), metadata: { ...configMap('a').metadata, resourceVersion: '2' } });
    return { value: character.repeat((bytes - frame.length) / Buffer.byteLength(character)) };
  };
  const limit = 1.5 * 1024 * 1024;

  it.each([
    ['of one byte each', 'x'],
    ['of three bytes each', '€'],
  ])('is limited by its bytes, also with characters %s', async (_, character) => {
    const store = await openStore();
    await put(store, 'a', sized(limit, character));
    const error = await caught(put(store, 'b', sized(limit + 3, character)));

    expect(error).toMatchObject({ code: 500, message: 'etcdserver: request is too large' });
    expect([store.revision, store.get(BUCKET, 'n/b')]).toEqual([2, undefined]);
  });
});

describe('writing', () => {
  it('numbers writes with one counter for all buckets and puts the number into the object', async () => {
    const store = await openStore();

    const first = await put(store, 'a');
    const second = await store.commit({ bucket: '/secrets', key: 'n/s', object: configMap('s') });

    expect([first?.revision, second?.revision, store.revision]).toEqual([2, 3, 3]);
    expect(first?.object().metadata.resourceVersion).toBe('2');
    expect(JSON.parse(second?.json ?? '')).toMatchObject({ metadata: { name: 's', resourceVersion: '3' } });
  });

  it('changes memory at once', async () => {
    const store = await openStore();

    const written = store.commit({ bucket: BUCKET, key: 'n/a', object: configMap('a') });

    expect(store.get(BUCKET, 'n/a')?.revision).toBe(2);
    expect(store.count(BUCKET)).toBe(1);
    await written;
  });

  it('neither changes nor keeps the object it is given', async () => {
    const store = await openStore();
    const object = configMap('a', { labels: { app: 'x' } });
    Object.freeze(object.metadata);

    await store.commit({ bucket: BUCKET, key: 'n/a', object });
    (object.metadata.labels ?? {})['app'] = 'changed';

    expect(object.metadata.resourceVersion).toBeUndefined();
    expect(store.get(BUCKET, 'n/a')?.labels).toEqual({ app: 'x' });
  });

  it('hands out a fresh copy each time', async () => {
    const store = await openStore();
    const entry = await put(store, 'a');

    const copy = entry?.object();
    if (copy) copy.metadata.name = 'changed';

    expect(entry?.object().metadata.name).toBe('a');
  });

  it.each([
    { when: 'the object exists at that revision', exists: true, expected: 2, done: true },
    { when: 'the object exists at another revision', exists: true, expected: 7, done: false },
    { when: 'the object exists but must not', exists: true, expected: 0, done: false },
    { when: 'the object does not exist and must not', exists: false, expected: 0, done: true },
    { when: 'the object does not exist but must', exists: false, expected: 2, done: false },
    { when: 'nothing is expected of an object', exists: true, expected: undefined, done: true },
    { when: 'nothing is expected of nothing', exists: false, expected: undefined, done: true },
  ])('writes as expected when $when: $done', async ({ exists, expected, done }) => {
    const store = await openStore();
    if (exists) await put(store, 'a');
    const { revision } = store;

    const entry = await put(store, 'a', { value: 'new' }, expected);

    expect(entry !== undefined).toBe(done);
    expect(store.revision).toBe(done ? revision + 1 : revision);
  });

  it('deletes only what is there, and only at the expected revision', async () => {
    const store = await openStore();
    await put(store, 'a', { value: 'last', labels: { app: 'x' } });

    expect(await remove(store, 'b')).toBeUndefined();
    expect(await remove(store, 'a', 9)).toBeUndefined();
    const gone = await remove(store, 'a', 2);

    expect(gone?.object()).toMatchObject({ metadata: { resourceVersion: '3' }, data: { value: 'last' } });
    expect(gone?.labels).toEqual({ app: 'x' });
    expect(store.get(BUCKET, 'n/a')).toBeUndefined();
    expect(store.count(BUCKET, 'n')).toBe(0);
  });

  it('counts by namespace', async () => {
    const store = await openStore();
    for (const key of ['n/a', 'n/b', 'm/a', '/c']) await store.commit({ bucket: BUCKET, key, object: configMap('x') });
    await store.commit({ bucket: BUCKET, key: 'n/b', object: configMap('x') });

    expect(['n', 'm', '', 'o'].map((namespace) => store.count(BUCKET, namespace))).toEqual([2, 1, 1, 0]);
    expect(store.count(BUCKET)).toBe(4);
  });

  it('refuses writes after it is closed', async () => {
    const store = await openStore();
    await store.close();

    expect(await caught(store.commit({ bucket: BUCKET, key: 'n/a', object: configMap('a') }))).toMatchObject({
      code: 'KLUTCH_STORE_CLOSED',
    });
  });
});

describe('reading an earlier state', () => {
  it('shows what was there, in order, within namespace, start and limit', async () => {
    const store = await openStore();
    for (const name of ['b', 'd', 'f']) await put(store, name);
    const then = store.revision;
    await put(store, 'a');
    await put(store, 'd', { value: 'changed' });
    await remove(store, 'b');
    await remove(store, 'd');
    await put(store, 'd', { value: 'again' });

    expect(keysOf(store.scan(BUCKET))).toEqual(['n/a', 'n/d', 'n/f']);
    const past = store.scan(BUCKET, { atRevision: then });
    expect(keysOf(past)).toEqual(['n/b', 'n/d', 'n/f']);
    expect(past[1]?.object()).toMatchObject({ metadata: { resourceVersion: '3' }, data: { value: '' } });
    expect(keysOf(store.scan(BUCKET, { atRevision: then, after: 'n/b' }))).toEqual(['n/d', 'n/f']);
    expect(keysOf(store.scan(BUCKET, { atRevision: then, limit: 2 }))).toEqual(['n/b', 'n/d']);
    expect(keysOf(store.scan(BUCKET, { atRevision: then, namespace: 'm' }))).toEqual([]);
    expect(keysOf(store.scan(BUCKET, { atRevision: then + 1 }))).toEqual(['n/a', 'n/b', 'n/d', 'n/f']);
  });

  it('is impossible once its history is gone', async () => {
    const store = await openStore();
    for (const name of ['a', 'b', 'c']) await put(store, name);

    store.compact(3);

    expect(keysOf(store.scan(BUCKET, { atRevision: 3 }))).toEqual(['n/a', 'n/b']);
    const error = thrownBy(() => store.scan(BUCKET, { atRevision: 2 }));
    expect(error).toBeInstanceOf(StatusError);
    expect(error).toMatchObject({ code: 410, reason: 'Expired' });
    expect(store.oldestRevision).toBe(3);
  });

  it('forgets by itself beyond the limit', async () => {
    const store = await openStore({ historyLimit: { events: 10 } });
    for (let index = 0; index < 50; index += 1) await put(store, 'a', { value: String(index) });

    expect(store.oldestRevision).toBe(store.revision - 10);
  });
});

describe('watching', () => {
  it('tells of each kind of change, with what was there before', async () => {
    const store = await openStore();
    const events: StoredEvent[] = [];
    store.watch(BUCKET, store.revision, (event) => events.push(event));

    await put(store, 'a', { value: '1' });
    await put(store, 'a', { value: '2' });
    await remove(store, 'a');
    await store.commit({ bucket: '/secrets', key: 'n/a', object: configMap('a') });

    expect(events.map(summary)).toEqual(['ADDED n/a@2', 'MODIFIED n/a@3', 'DELETED n/a@4']);
    expect(events.map(({ previous }) => previous?.revision)).toEqual([undefined, 2, 3]);
    expect(events[2]?.entry.object()).toMatchObject({ metadata: { resourceVersion: '4' }, data: { value: '2' } });
  });

  it('replays from a revision, then goes on live, without gap or repetition', async () => {
    const store = await openStore();
    await put(store, 'a');
    const from = store.revision;
    await put(store, 'b');
    const heard: string[] = [];

    store.watch(BUCKET, from, (event) => heard.push(summary(event)));
    const during = put(store, 'c');
    expect(heard).toEqual([]);
    await during;
    await put(store, 'd');

    expect(heard).toEqual(['ADDED n/b@3', 'ADDED n/c@4', 'ADDED n/d@5']);
  });

  it('replays everything after a start, however the history is trimmed at the same time', async () => {
    const store = await openStore({ historyLimit: { events: 3 } });
    for (const name of ['a', 'b', 'c']) await put(store, name);
    const heard: string[] = [];

    store.watch(BUCKET, 1, (event) => heard.push(event.entry.key));
    await Promise.all(['d', 'e', 'f', 'g'].map((name) => put(store, name)));

    expect(heard).toEqual(['n/a', 'n/b', 'n/c', 'n/d', 'n/e', 'n/f', 'n/g']);
  });

  it('waits for a revision that is still to come', async () => {
    const store = await openStore();
    const heard: string[] = [];

    store.watch(BUCKET, 3, (event) => heard.push(summary(event)));
    await put(store, 'a');
    await put(store, 'b');
    await put(store, 'c');

    expect(heard).toEqual(['ADDED n/c@4']);
  });

  it('is refused when history since the start is gone', async () => {
    const store = await openStore();
    for (const name of ['a', 'b', 'c']) await put(store, name);
    store.compact(3);

    expect(thrownBy(() => store.watch(BUCKET, 2, () => undefined))).toMatchObject({
      code: 410,
      message: 'too old resource version: 2 (3)',
    });
    expect(() => store.watch(BUCKET, 3, () => undefined)).not.toThrow();
  });

  it('ends at once, even in the middle of a replay', async () => {
    const store = await openStore();
    for (const name of ['a', 'b', 'c']) await put(store, name);
    const heard: string[] = [];

    const end = store.watch(BUCKET, 1, ({ entry }) => {
      heard.push(entry.key);
      if (entry.key === 'n/b') end();
    });
    await put(store, 'd');

    expect(heard).toEqual(['n/a', 'n/b']);
  });

  it('lets a listener start and end other watches', async () => {
    const store = await openStore();
    const late: string[] = [];
    const other: string[] = [];
    const from = store.revision;
    let started = false;
    store.watch(BUCKET, from, () => {
      endOther();
      if (!started) store.watch(BUCKET, from, (event) => late.push(summary(event)));
      started = true;
    });
    const endOther = store.watch(BUCKET, from, (event) => other.push(summary(event)));

    await Promise.all([put(store, 'a'), put(store, 'b')]);
    await put(store, 'c');

    expect(other).toEqual([]);
    expect(late).toEqual(['ADDED n/a@2', 'ADDED n/b@3', 'ADDED n/c@4']);
  });
});

describe('writes that are not safe yet', () => {
  it('are answered and told to watchers only when safe, in order', async () => {
    const { store, owner } = storeWithHeldJournal();
    const told: string[] = [];
    store.watch(BUCKET, 1, (event) => told.push(`watcher ${summary(event)}`));
    const answers = ['a', 'b', 'c'].map((name) => put(store, name).then((entry) => told.push(`writer ${entry?.key}`)));
    await Promise.resolve();
    expect(told).toEqual([]);
    expect([store.revision, store.durableRevision]).toEqual([4, 1]);

    owner.onDurable(3);
    await Promise.all(answers.slice(0, 2));

    expect(told).toEqual(['watcher ADDED n/a@2', 'watcher ADDED n/b@3', 'writer n/a', 'writer n/b']);
    expect(store.durableRevision).toBe(3);
    owner.onDurable(4);
    await answers[2];
    expect(told.slice(4)).toEqual(['watcher ADDED n/c@4', 'writer n/c']);
  });

  it('are not replayed to a watch before they are safe', async () => {
    const { store, owner } = storeWithHeldJournal();
    const answer = put(store, 'a');
    const heard: string[] = [];
    store.watch(BUCKET, 1, (event) => heard.push(summary(event)));
    await Promise.resolve();

    expect(heard).toEqual([]);
    owner.onDurable(2);
    await answer;
    expect(heard).toEqual(['ADDED n/a@2']);
  });

  it('can be left out of a reading', () => {
    const { store, owner } = storeWithHeldJournal();
    void put(store, 'a');
    owner.onDurable(2);
    void put(store, 'b');

    expect(keysOf(store.scan(BUCKET, { atRevision: store.durableRevision }))).toEqual(['n/a']);
    expect(keysOf(owner.capture().entries)).toEqual(['n/a']);
  });

  it('are part of no snapshot, not even when they empty a bucket', () => {
    const { store, owner } = storeWithHeldJournal();
    void put(store, 'a');
    owner.onDurable(2);
    void remove(store, 'a');

    expect(owner.capture()).toMatchObject({ revision: 2, entries: [{ key: 'n/a', revision: 2 }] });
  });

  it('are undone when they cannot be made safe, and every further write is refused', async () => {
    const { store, owner } = storeWithHeldJournal();
    const kept = put(store, 'kept', { value: 'safe' });
    owner.onDurable(2);
    await kept;
    const heard: string[] = [];
    store.watch(BUCKET, 2, (event) => heard.push(summary(event)));
    const refused = [
      put(store, 'new'),
      put(store, 'kept', { value: 'unsafe' }),
      remove(store, 'kept'),
      put(store, 'kept'),
    ];

    owner.onFailure(new StorageError('KLUTCH_STORE_FAILED', 'no space'));

    for (const answer of refused) expect(await caught(answer)).toMatchObject({ code: 'KLUTCH_STORE_FAILED' });
    expect(await caught(put(store, 'later'))).toMatchObject({ message: 'no space' });
    expect(store.scan(BUCKET).map(({ key, revision }) => `${key}@${revision}`)).toEqual(['n/kept@2']);
    expect(store.get(BUCKET, 'n/kept')?.object()).toMatchObject({ data: { value: 'safe' } });
    expect([store.revision, store.durableRevision, store.count(BUCKET, 'n')]).toEqual([2, 2, 1]);
    expect(heard).toEqual([]);
  });
});
