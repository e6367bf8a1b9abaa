import { describe, expect, it } from 'vitest';
import { createManualClock } from '../testing/manual-clock.ts';
import type { QueueMetrics, QueueState } from './metrics.ts';
import { createWorkQueue, type WorkQueue, type WorkQueueOptions } from './work-queue.ts';

function setup(options: Partial<WorkQueueOptions> = {}) {
  const clock = createManualClock();
  const queue = createWorkQueue({ name: 'test', clock, random: () => 0, ...options });
  return { clock, queue };
}

/** Takes and finishes keys until none is ready. */
async function takeAll(queue: WorkQueue): Promise<string[]> {
  const keys: string[] = [];
  while (queue.state().ready > 0) {
    const key = await queue.take();
    if (key === undefined) break;
    keys.push(key);
    queue.done(key);
  }
  return keys;
}

/** The key when one is handed over without any wait, else undefined. */
async function takeNow(queue: WorkQueue): Promise<string | undefined> {
  const stop = new AbortController();
  const taken = queue.take(stop.signal);
  stop.abort();
  return taken;
}

describe('adding', () => {
  it('hands out keys in the order they came, each once', async () => {
    const { queue } = setup();
    for (const key of ['a', 'b', 'a', 'c', 'b']) queue.add(key);

    expect(await takeAll(queue)).toEqual(['a', 'b', 'c']);
  });

  it('gives a key to a taker who was there first', async () => {
    const { queue } = setup();
    const first = queue.take();
    const second = queue.take();

    queue.add('a');
    queue.add('b');
    expect(await Promise.all([first, second])).toEqual(['a', 'b']);
  });

  it('hands out a key again after done when it was added during the work, and not before', async () => {
    const { queue } = setup();
    queue.add('a');
    await queue.take();
    queue.add('a');
    queue.add('a');

    expect(await takeNow(queue)).toBeUndefined();
    queue.done('a');
    expect(await takeAll(queue)).toEqual(['a']);
  });

  it('refuses done for a key nobody took', () => {
    const { queue } = setup();
    queue.add('a');

    expect(() => queue.done('a')).toThrow('not taken');
  });
});

describe('priorities', () => {
  it('hands out the highest first and keeps the order within one', async () => {
    const { queue } = setup();
    queue.add('low', { priority: -5 });
    queue.add('first');
    queue.add('urgent', { priority: 7 });
    queue.add('second');

    expect(await takeAll(queue)).toEqual(['urgent', 'first', 'second', 'low']);
  });

  it('raises a waiting key that is added with a higher priority, and never lowers it', async () => {
    const { queue } = setup();
    queue.add('a');
    queue.add('b');
    queue.add('b', { priority: 3 });
    queue.add('b', { priority: -3 });

    expect(await takeAll(queue)).toEqual(['b', 'a']);
  });

  it('keeps the highest priority of the adds during the work', async () => {
    const { queue } = setup();
    queue.add('a');
    await queue.take();
    queue.add('a', { priority: 5 });
    queue.add('a', { priority: 1 });
    queue.add('b', { priority: 4 });

    queue.done('a');
    expect(await takeAll(queue)).toEqual(['a', 'b']);
  });

  it('serves the oldest key in every third turn when told so, so that a low priority does not starve', async () => {
    const { queue } = setup({ oldestEvery: 3 });
    queue.add('old', { priority: -1 });
    for (const key of ['a', 'b', 'c', 'd']) queue.add(key, { priority: 9 });

    expect(await takeAll(queue)).toEqual(['a', 'b', 'old', 'c', 'd']);
  });
});

describe('adding later', () => {
  it('makes the key ready when its time has come', async () => {
    const { clock, queue } = setup();
    queue.addAfter('a', 100);

    await clock.advance(99);
    expect(await takeNow(queue)).toBeUndefined();
    await clock.advance(1);
    expect(await takeNow(queue)).toBe('a');
  });

  it.each([0, -1, Number.NaN])('makes the key ready at once for a delay of %s', async (delay) => {
    const { queue } = setup();
    queue.addAfter('a', delay);

    expect(await takeNow(queue)).toBe('a');
  });

  it.each([
    { first: 100, second: 20 },
    { first: 20, second: 100 },
  ])('lets the earlier of $first and $second ms win, once', async ({ first, second }) => {
    const { clock, queue } = setup();
    queue.addAfter('a', first);
    queue.addAfter('a', second);

    await clock.advance(20);
    expect(await takeAll(queue)).toEqual(['a']);
    await clock.advance(1_000);
    expect(await takeAll(queue)).toEqual([]);
  });

  it('lets an add now replace a later one, with the higher priority of the two', async () => {
    const { clock, queue } = setup();
    queue.addAfter('a', 100, { priority: 5 });
    queue.add('b', { priority: 4 });
    queue.add('a');

    expect(await takeAll(queue)).toEqual(['a', 'b']);
    await clock.advance(1_000);
    expect(queue.state()).toMatchObject({ ready: 0, delayed: 0 });
  });

  it('keeps the priority of a delayed key', async () => {
    const { clock, queue } = setup();
    queue.addAfter('late', 50, { priority: 1 });
    queue.add('early');
    await clock.advance(50);

    expect(await takeAll(queue)).toEqual(['late', 'early']);
  });

  it('raises a ready key and waits no longer for it', async () => {
    const { queue } = setup();
    queue.add('a');
    queue.add('b');
    queue.addAfter('b', 1_000, { priority: 1 });

    expect(queue.state().delayed).toBe(0);
    expect(await takeAll(queue)).toEqual(['b', 'a']);
  });

  it('waits for the work to end when the time comes meanwhile', async () => {
    const { clock, queue } = setup();
    queue.add('a');
    await queue.take();
    queue.addAfter('a', 10);

    await clock.advance(10);
    expect(await takeNow(queue)).toBeUndefined();
    queue.done('a');
    expect(await takeNow(queue)).toBe('a');
  });

  it('needs one timer however many keys wait, and none when none waits', async () => {
    const { clock, queue } = setup();
    for (let i = 0; i < 50; i++) queue.addAfter(`key-${i}`, 1_000 - i);

    expect(clock.timers).toBe(1);
    await clock.advance(1_000);
    expect(queue.state().ready).toBe(50);
    expect(clock.timers).toBe(0);
  });
});

describe('retrying', () => {
  it('waits longer from failure to failure until the key is forgotten', async () => {
    const { clock, queue } = setup({ backoff: { baseMs: 100, capMs: 300 } });
    const waits: number[] = [];
    for (const forget of [false, false, false, true, false]) {
      if (forget) queue.forget('a');
      queue.retry('a');
      const before = clock.now();
      const taken = queue.take();
      await clock.advance(100 - 1);
      for (let i = 0; i < 300 && queue.state().processing === 0; i++) await clock.advance(1);
      waits.push(clock.now() - before);
      queue.done((await taken) ?? '');
    }

    expect(waits).toEqual([100, 200, 300, 100, 200]);
    expect(queue.failures('a')).toBe(2);
  });

  it('keeps the priority the key was taken with', async () => {
    const { clock, queue } = setup({ backoff: { baseMs: 10 } });
    queue.add('urgent', { priority: 9 });
    await queue.take();
    queue.retry('urgent');
    queue.done('urgent');
    queue.add('other');

    await clock.advance(10);
    expect(await takeAll(queue)).toEqual(['urgent', 'other']);
  });
});

describe('leaving and shutting down', () => {
  it('answers nothing to a taker whose signal aborts, and keeps the keys for others', async () => {
    const { queue } = setup();
    expect(await takeNow(queue)).toBeUndefined();

    queue.add('a');
    expect(await queue.take(AbortSignal.abort())).toBeUndefined();
    expect(await takeNow(queue)).toBe('a');
  });

  it('answers nothing to waiting and later takers, drops what waits and ignores adds', async () => {
    const { clock, queue } = setup();
    const waiting = queue.take();
    queue.addAfter('later', 10);
    const stopped = queue.shutdown();
    queue.add('a');
    queue.addAfter('b', 10);
    queue.retry('c');

    expect(await waiting).toBeUndefined();
    expect(await queue.take()).toBeUndefined();
    await stopped;
    await clock.advance(1_000);
    expect(queue.state()).toMatchObject({ ready: 0, delayed: 0, processing: 0 });
    expect(clock.timers).toBe(0);
  });

  it('resolves only when the taken keys are done, and does not hand them out again', async () => {
    const { clock, queue } = setup();
    queue.add('a');
    await queue.take();
    queue.add('a');
    let isStopped = false;
    const stopped = queue.shutdown().then(() => {
      isStopped = true;
    });

    await clock.advance(1);
    expect(isStopped).toBe(false);
    queue.done('a');
    await stopped;
    expect(await queue.take()).toBeUndefined();
  });

  it('still hands out ready keys and keys to be done again when asked to drain', async () => {
    const { queue } = setup();
    for (const key of ['a', 'b']) queue.add(key);
    expect(await queue.take()).toBe('a');
    queue.add('a');
    queue.addAfter('later', 10);
    const stopped = queue.shutdown({ drain: true });
    queue.add('refused');

    expect(await queue.take()).toBe('b');
    const waiting = queue.take();
    queue.done('a');
    expect(await waiting).toBe('a');
    const rest = queue.take();
    queue.done('b');
    queue.done('a');
    expect(await rest).toBeUndefined();
    await stopped;
  });

  it('gives up a drain when it is shut down again without', async () => {
    const { queue } = setup();
    queue.add('a');
    const drained = queue.shutdown({ drain: true });
    await queue.shutdown();

    await drained;
    expect(await queue.take()).toBeUndefined();
  });
});

describe('reporting', () => {
  it('tells how many keys there are and how long work has taken', async () => {
    const { clock, queue } = setup();
    for (const key of ['a', 'b', 'c']) queue.add(key);
    queue.addAfter('d', 60_000);
    await queue.take();
    await clock.advance(2_000);
    await queue.take();
    await clock.advance(1_000);

    expect(queue.state()).toEqual({ ready: 1, delayed: 1, processing: 2, unfinishedSeconds: 4, longestSeconds: 3 });
  });

  it('counts adds and retries and times waiting and work', async () => {
    const lines: string[] = [];
    const states = new Set<() => QueueState>();
    const metrics: QueueMetrics = {
      queueOpened: (_queue, state) => {
        states.add(state);
        return () => states.delete(state);
      },
      queueAdded: (queue) => lines.push(`${queue} added`),
      queueRetried: (queue) => lines.push(`${queue} retried`),
      queueWaited: (queue, seconds) => lines.push(`${queue} waited ${seconds}`),
      queueWorked: (queue, seconds) => lines.push(`${queue} worked ${seconds}`),
    };
    const { clock, queue } = setup({ metrics, backoff: { baseMs: 3_000 } });

    queue.add('a');
    await clock.advance(1_000);
    await queue.take();
    await clock.advance(2_000);
    queue.retry('a');
    queue.done('a');
    await clock.advance(3_000);

    expect(lines).toEqual(['test added', 'test waited 1', 'test retried', 'test worked 2', 'test added']);
    expect([...states].map((state) => state().ready)).toEqual([1]);
    await queue.shutdown();
    expect(states.size).toBe(0);
  });
});

describe('lanes', () => {
  const laneOf = (key: string) => key.slice(0, key.indexOf('/'));

  it('take turns, each in its own order', async () => {
    const { queue } = setup({ laneOf, oldestEvery: 1_000 });
    for (const key of ['big/1', 'big/2', 'big/3', 'big/4', 'small/1', 'other/1', 'small/2']) queue.add(key);

    expect(await takeAll(queue)).toEqual(['big/1', 'small/1', 'other/1', 'big/2', 'small/2', 'big/3', 'big/4']);
  });

  it('that were idle join the current round: they neither wait for the crowd nor get ahead of it for long', async () => {
    const { queue } = setup({ laneOf, oldestEvery: 1_000 });
    for (let i = 0; i < 6; i++) queue.add(`big/${i}`);
    for (let i = 0; i < 3; i++) queue.done((await queue.take()) ?? '');
    for (let i = 0; i < 3; i++) queue.add(`late/${i}`);

    expect(await takeAll(queue)).toEqual(['big/3', 'late/0', 'big/4', 'late/1', 'big/5', 'late/2']);
  });

  it('matter only within a priority', async () => {
    const { queue } = setup({ laneOf, oldestEvery: 1_000 });
    queue.add('a/1');
    queue.add('b/1');
    queue.add('a/2', { priority: 1 });
    queue.add('a/3', { priority: 1 });

    expect(await takeAll(queue)).toEqual(['a/2', 'a/3', 'a/1', 'b/1']);
  });
});

describe('size', () => {
  it('copes with a hundred thousand ready and as many delayed keys', async () => {
    const { clock, queue } = setup();
    const count = 100_000;
    for (let i = 0; i < count; i++) {
      queue.add(`ready-${i}`, { priority: i % 7 });
      queue.addAfter(`delayed-${i}`, 1 + ((i * 7_919) % count), { priority: i % 5 });
    }
    await clock.advance(count);
    const taken = await takeAll(queue);

    expect(new Set(taken).size).toBe(2 * count);
  });
});
