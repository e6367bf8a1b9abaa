import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { soon, World } from './testing/world.ts';

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

describe('bookmarks', () => {
  it('come once a minute with the latest revision of all types, when asked for', async () => {
    const world = await World.create();
    const { sink } = world.watch('resourceVersion=1&allowWatchBookmarks=true');
    const without = world.watch('resourceVersion=1').sink;
    await world.store.commit({
      bucket: '/secrets',
      key: 'n/s',
      object: { apiVersion: 'v1', kind: 'Secret', metadata: {} },
    });

    vi.advanceTimersByTime(59_000);
    expect(sink.summary).toEqual([]);
    vi.advanceTimersByTime(2_000);
    expect(sink.events).toEqual([
      { type: 'BOOKMARK', object: { kind: 'ConfigMap', apiVersion: 'v1', metadata: { resourceVersion: '2' } } },
    ]);
    await world.put('a');
    vi.advanceTimersByTime(60_000);

    expect(sink.summary).toEqual(['BOOKMARK @2', 'ADDED a@3', 'BOOKMARK @3']);
    expect(without.summary).toEqual(['ADDED a@3']);
  });

  it('are left out when they would say what the client said itself', async () => {
    const world = await World.create();
    const { sink } = world.watch('allowWatchBookmarks=true');

    vi.advanceTimersByTime(130_000);

    expect(sink.summary).toEqual(['BOOKMARK @1']);
  });

  it('never promise more than was sent', async () => {
    const world = await World.create();
    const { sink } = world.watch('resourceVersion=1&allowWatchBookmarks=true', { room: 1 });
    await world.put('a');
    await world.put('b');

    vi.advanceTimersByTime(50_000);
    sink.drain(1);
    vi.advanceTimersByTime(20_000);
    await soon();

    expect(sink.summary).toEqual(['ADDED a@2', 'ADDED b@3']);
  });

  it.each([
    [5, ['BOOKMARK @2']],
    [1, []],
  ])('with a timeout of %i s end with %j', async (seconds, bookmarks) => {
    const world = await World.create();
    await world.put('a');
    const { sink } = world.watch(`resourceVersion=1&allowWatchBookmarks=true&timeoutSeconds=${seconds}`);
    await soon();

    vi.advanceTimersByTime(seconds * 1000);

    expect(sink.summary).toEqual(['ADDED a@2', ...bookmarks]);
    expect(sink.isEnded).toBe(true);
  });
});

describe('the end of a watch', () => {
  it.each([
    ['timeoutSeconds=30', 30],
    ['', 2_700],
    ['timeoutSeconds=0', 2_700],
  ])('comes with %j after %i s', async (query, seconds) => {
    const world = await World.create();
    const { sink } = world.watch(query);

    vi.advanceTimersByTime(seconds * 1000 - 1);
    expect(sink.isEnded).toBe(false);
    vi.advanceTimersByTime(1);

    expect(sink.isEnded).toBe(true);
    expect(world.hub.size).toBe(0);
  });

  it('leaves nothing behind, whoever ends it', async () => {
    const world = await World.create();
    const watches = Array.from({ length: 5 }, () => world.watch('allowWatchBookmarks=true'));
    watches[0]?.watch.end();
    watches[0]?.watch.end();
    expect(world.hub.size).toBe(4);

    world.hub.close();
    await world.put('a');

    expect(world.hub.size).toBe(0);
    expect(vi.getTimerCount()).toBe(0);
    for (const { sink } of watches) expect([sink.isEnded, sink.summary]).toEqual([true, ['BOOKMARK @1']]);
  });
});

describe('a slow client', () => {
  it('gets everything, piece by piece, and costs nothing while it waits', async () => {
    const world = await World.create();
    const { sink } = world.watch('resourceVersion=1', { room: 1 });
    for (const name of ['a', 'b', 'c', 'd']) await world.put(name);
    expect(sink.summary).toEqual(['ADDED a@2']);

    sink.drain(2);
    await soon();
    expect(sink.summary).toEqual(['ADDED a@2', 'ADDED b@3', 'ADDED c@4']);
    sink.drain();
    await soon();
    await world.put('e');

    expect(sink.summary.slice(3)).toEqual(['ADDED d@5', 'ADDED e@6']);
  });

  it('gets a large state in pieces', async () => {
    const world = await World.create();
    for (let index = 0; index < 300; index += 1) await world.put(`o${index}`, { filler: 'x'.repeat(1_000) });
    const { sink } = world.watch('allowWatchBookmarks=true', { room: 1 });
    expect(sink.summary.length).toBeLessThan(100);
    const before = world.store.revision;
    await world.put('late');

    for (let turn = 0; turn < 20; turn += 1) {
      sink.drain(1);
      await soon();
    }

    expect(new Set(sink.summary).size).toBe(302);
    expect(sink.summary.slice(-2)).toEqual([`BOOKMARK @${before}`, `ADDED late@${before + 1}`]);
    expect(sink.pieces.length).toBeLessThan(15);
  });

  it('loses its watch when the history it needs is gone', async () => {
    const world = await World.create({ historyLimit: { events: 3 } });
    const { sink } = world.watch('resourceVersion=1', { room: 1 });
    for (let index = 0; index < 10; index += 1) await world.put('a');

    sink.drain();

    expect(sink.summary).toEqual(['ADDED a@2']);
    expect(sink.isEnded).toBe(true);
    expect(world.hub.size).toBe(0);
  });

  it('is given up when it takes nothing for a minute', async () => {
    const world = await World.create();
    const { sink } = world.watch('resourceVersion=1', { room: 1 });
    await world.put('a');

    vi.advanceTimersByTime(59_000);
    expect(sink.isEnded).toBe(false);
    vi.advanceTimersByTime(1_000);

    expect(sink.isAbandoned).toBe(true);
    sink.drain();
    expect(vi.getTimerCount()).toBe(0);
  });
});
