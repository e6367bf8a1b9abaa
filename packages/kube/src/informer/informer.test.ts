import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { UnknownObject } from '../objects/meta.ts';
import { createFaults, eventually } from '../testing/index.ts';
import type { Change } from './change.ts';
import { expectEqual, informerWorlds, versions, type World } from './world.fixture.ts';

const start = informerWorlds();

/** Replays what subscribers were told; an impossible change (say, a second deletion) or a repeated one fails. */
function replay(changes: readonly Change<UnknownObject>[]): Map<string, UnknownObject> {
  const told = new Map<string, UnknownObject>();
  const states = new Set<string>();
  for (const change of changes) {
    expect(told.has(change.key), `${change.type} ${change.key}`).toBe(change.type !== 'added');
    const state = `${change.type === 'deleted'} ${change.object.metadata.uid}@${change.object.metadata.resourceVersion}`;
    expect(states, `${change.type} ${change.key}`).not.toContain(state);
    states.add(state);
    if (change.type === 'deleted') told.delete(change.key);
    else told.set(change.key, change.object);
  }
  return told;
}

describe('informer', () => {
  it('lists in pages, then follows changes', async () => {
    const world = await start({ pageSize: 2 }, {}, (model) => {
      for (const name of ['a', 'b', 'c', 'd', 'e']) model.put(name, {});
    });
    await world.informer.synced;
    expectEqual(world);
    expect(world.model.requests.lists).toBe(3);
    world.model.put('f', {});
    world.model.put('a', { changed: true });
    world.model.delete('b');
    await eventually(() => expectEqual(world));
    expect(world.changes.slice(5).map(({ type, key }) => `${type} ${key}`)).toEqual([
      'added default/f',
      'updated default/a',
      'deleted default/b',
    ]);
  });

  it('drops managedFields from memory', async () => {
    const world = await start({}, {}, (model) => model.put('a', {}));
    await world.informer.synced;
    world.model.put('b', {});
    await eventually(() => world.informer.cache.size === 2);
    for (const object of world.informer.cache.values()) expect(object.metadata).not.toHaveProperty('managedFields');
  });

  it('resumes a broken watch without listing again and without repeating events', async () => {
    const world = await start();
    await world.informer.synced;
    world.model.put('a', {});
    await eventually(() => world.informer.cache.size === 1);
    world.model.disconnect();
    world.model.put('b', {});
    await eventually(() => expectEqual(world));
    expect(world.changes.map(({ type, key }) => `${type} ${key}`)).toEqual(['added default/a', 'added default/b']);
    expect(world.model.requests.lists).toBe(1);
  });

  it('tells of every watch that the server accepts, until nobody wants to know', async () => {
    const world = await start();
    let opened = 0;
    const leave = world.informer.onOpen(() => {
      opened += 1;
    });
    await eventually(() => opened === 1);
    world.model.disconnect();
    await eventually(() => opened === 2);
    leave();
    world.model.disconnect();
    world.model.put('a', {});
    await eventually(() => expectEqual(world));
    expect(opened).toBe(2);
  });

  it('reports a deletion that happened while the history was lost once, with the last known state', async () => {
    const world = await start({}, {}, (model) => {
      model.put('a', { size: 1 });
      model.put('b', {});
    });
    await world.informer.synced;
    await eventually(() => world.model.watches === 1);
    world.model.disconnect();
    world.model.delete('a');
    world.model.compact();
    await eventually(() => expectEqual(world));
    const deletions = world.changes.filter(({ type }) => type === 'deleted');
    expect(deletions).toMatchObject([{ key: 'default/a', lastKnown: true, object: { spec: { size: 1 } } }]);
  });

  it('reports an object that was deleted and created anew unseen as two objects', async () => {
    const world = await start({}, {}, (model) => model.put('a', {}));
    await world.informer.synced;
    await eventually(() => world.model.watches === 1);
    world.model.disconnect();
    world.model.delete('a');
    world.model.put('a', {});
    world.model.compact();
    await eventually(() => expectEqual(world));
    expect(world.changes.map(({ type }) => type)).toEqual(['added', 'deleted', 'added']);
  });

  it('fetches the state anew on demand, once for all who ask together, and goes on from there', async () => {
    const world = await start({}, {}, (model) => model.put('a', {}));
    await world.informer.synced;
    const backup = world.model.snapshot();
    world.model.put('b', {});
    world.model.put('a', { newer: true });
    await eventually(() => expectEqual(world));
    const { lists } = world.model.requests;
    world.model.restore(backup);
    await Promise.all([world.informer.relist(), world.informer.relist()]);
    expectEqual(world);
    expect(world.informer.cache.get({ namespace: 'default', name: 'a' })).toMatchObject({ spec: {} });
    expect(world.model.requests.lists).toBe(lists + 1);
    world.model.put('c', {});
    await eventually(() => expectEqual(world));
  });

  it('takes the state from a streaming list where the server offers it', async () => {
    const world = await start({ initialState: 'stream' }, {}, (model) => model.put('a', {}));
    await world.informer.synced;
    expectEqual(world);
    expect(world.model.requests).toEqual({ lists: 0, watches: 1 });
  });

  it('lists in pages where the server does not know streaming lists', async () => {
    const world = await start({ initialState: 'stream' }, { streamingLists: false }, (model) => model.put('a', {}));
    await world.informer.synced;
    expectEqual(world);
    expect(world.model.requests.lists).toBeGreaterThanOrEqual(1);
  });

  it('lists in one piece when the version expires between two pages', async () => {
    const faults = createFaults();
    faults.add({ fault: { type: 'status', status: 410 }, when: (r) => r.path.includes('continue='), times: 1 });
    const world = await start({ pageSize: 1, faults: faults.interceptor }, {}, (model) => {
      model.put('a', {});
      model.put('b', {});
    });
    await world.informer.synced;
    expectEqual(world);
  });

  it('counts a silent watch as dead and opens another', async () => {
    const world = await start({ inactivityMs: 30 });
    await world.informer.synced;
    await eventually(() => world.model.requests.watches >= 2);
    world.model.put('a', {});
    await eventually(() => expectEqual(world));
  });

  it('tells what is wrong while it cannot follow, and that it recovered', async () => {
    const world = await start({}, {}, (model) => model.refuse(403));
    await eventually(() => world.informer.problem?.code === 'KUBE_FORBIDDEN');
    expect(world.informer.hasSynced).toBe(false);
    world.model.refuse(undefined);
    await world.informer.synced;
    await eventually(() => world.informer.problem === undefined);
  });

  it('does not ask in a tight loop when watches end at once', async () => {
    const world = await start({ backoff: { baseMs: 50, capMs: 50, jitter: 0 } });
    await world.informer.synced;
    const ending = setInterval(() => world.model.endWatches(), 1);
    await eventually(() => world.model.requests.watches >= 3);
    const before = world.model.requests.watches;
    const began = Date.now();
    await eventually(() => world.model.requests.watches >= before + 4);
    clearInterval(ending);
    expect(Date.now() - began).toBeGreaterThanOrEqual(150);
  });

  it('rejects synced when stopped before the first state arrived', async () => {
    const world = await start({}, {}, (model) => model.refuse(500));
    await eventually(() => world.informer.problem);
    await world.stop();
    await expect(world.informer.synced).rejects.toMatchObject({ code: 'KUBE_ABORTED' });
  });

  it('goes on when a subscriber throws', async () => {
    const errors: unknown[] = [];
    const world = await start({ onError: (error) => errors.push(error) });
    world.informer.subscribe(() => {
      throw new Error('bad subscriber');
    });
    await world.informer.synced;
    world.model.put('a', {});
    world.model.put('b', {});
    await eventually(() => world.changes.length === 2);
    expect(errors).toHaveLength(2);
  });

  it('delivers everything again after each resync period, when one is set', async () => {
    const world = await start({ resyncPeriodMs: 10 }, {}, (model) => model.put('a', {}));
    await eventually(() => world.changes.filter(({ type }) => type === 'updated').length >= 2);
    expect(world.changes.at(-1)).toMatchObject({ type: 'updated', key: 'default/a' });
  });
});

type Action = (world: World) => void | Promise<void>;

const name = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f');

const action: fc.Arbitrary<{ label: string; run: Action }> = fc.oneof(
  { weight: 6, arbitrary: name.map((n) => ({ label: `put ${n}`, run: (w: World) => void w.model.put(n, {}) })) },
  { weight: 3, arbitrary: name.map((n) => ({ label: `delete ${n}`, run: (w: World) => w.model.delete(n) })) },
  { weight: 1, arbitrary: fc.constant({ label: 'disconnect', run: (w: World) => w.model.disconnect() }) },
  { weight: 1, arbitrary: fc.constant({ label: 'compact', run: (w: World) => w.model.compact() }) },
  { weight: 1, arbitrary: fc.constant({ label: 'fail watches', run: (w: World) => w.model.failWatches() }) },
  { weight: 1, arbitrary: fc.constant({ label: 'end watches', run: (w: World) => w.model.endWatches() }) },
  { weight: 1, arbitrary: fc.constant({ label: 'bookmark', run: (w: World) => w.model.sendBookmarks() }) },
  {
    weight: 1,
    arbitrary: fc
      .integer({ min: 1, max: 5 })
      .map((n) => ({ label: `repeat ${n}`, run: (w: World) => w.model.repeatEvents(n) })),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom(410, 429, 500, 503).map((status) => ({
      label: `refuse ${status}`,
      run: async (w: World) => {
        w.model.refuse(status);
        w.model.disconnect();
        await new Promise((resolve) => setTimeout(resolve, 3));
        w.model.refuse(undefined);
      },
    })),
  },
  {
    weight: 3,
    arbitrary: fc.constant({
      label: 'let time pass',
      run: () => new Promise<void>((resolve) => setTimeout(resolve, 5)),
    }),
  },
);

describe('informer, whatever happens', () => {
  it('ends equal to the server, and its subscribers were told a consistent story', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(action, { maxLength: 60 }),
        fc.record({
          pageSize: fc.integer({ min: 1, max: 4 }),
          initialState: fc.constantFrom('pages' as const, 'stream' as const),
        }),
        fc.boolean(),
        async (actions, tuning, settled) => {
          const world = await start(tuning, {}, (model) => {
            model.put('a', {});
            model.put('b', {});
          });
          try {
            if (settled) await eventually(() => world.model.watches === 1);
            for (const { run } of actions) await run(world);
            await world.informer.synced;
            await eventually(() => expectEqual(world), { withinMs: 5000 });
            expect(versions(replay(world.changes).values())).toEqual(versions(world.model.state().values()));
          } finally {
            await world.stop();
          }
        },
      ),
      { numRuns: 150 },
    );
  }, 120_000);
});
