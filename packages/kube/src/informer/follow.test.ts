import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { KubeError } from '../errors/kube-error.ts';
import type { KubeList, UnknownObject } from '../objects/meta.ts';
import type { ResourceClient, WatchEvent, WatchOptions } from '../resources/types.ts';
import { createRounds, type Rounds } from '../rounds/rounds.ts';
import { ModelThings } from '../testing/index.ts';
import { type FollowOptions, follow } from './follow.ts';

type Event = WatchEvent<UnknownObject>;
type Watch = (options: WatchOptions) => AsyncIterable<Event>;

const thing = (name: string, version: number): UnknownObject => ({
  apiVersion: 'v1',
  kind: 'Thing',
  metadata: { name, namespace: 'ns', uid: name, resourceVersion: String(version) },
});
const added = (name: string, version: number): Event => ({ type: 'ADDED', object: thing(name, version) });
const bookmark = (version: number): Event => ({
  type: 'BOOKMARK',
  resourceVersion: String(version),
  initialEventsEnd: false,
});
const page = (version: number, next?: string): KubeList<UnknownObject> => ({
  apiVersion: 'v1',
  kind: 'ThingList',
  metadata: { resourceVersion: String(version), continue: next },
  items: [],
});
const cut = new KubeError('KUBE_UNREACHABLE', 'cut');
const refused = new KubeError('KUBE_UNREACHABLE', 'refused', {
  cause: Object.assign(new Error('connect'), { code: 'ECONNREFUSED' }),
});
const after = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/** A watch that has nothing to tell. */
function mute(work: (options: WatchOptions) => Promise<void>): Watch {
  return async function* (options) {
    await work(options);
    yield* [];
  };
}

interface RunOptions extends Partial<FollowOptions<UnknownObject>> {
  readonly lists?: Rounds;
}

/** Follows a client of which each watch does what the test says. */
function run(watch: Watch, asked: RunOptions = {}, pages = [page(5)]) {
  const { lists: rounds, ...options } = asked;
  const watches: { readonly at: number; readonly options: WatchOptions }[] = [];
  const seen: string[] = [];
  let lists = 0;
  const client = {
    type: ModelThings,
    async *pages() {
      lists += 1;
      yield* pages;
    },
    watch: (options: WatchOptions) => {
      watches.push({ at: performance.now(), options });
      return watch(options);
    },
  } as unknown as ResourceClient<UnknownObject>;
  const stop = new AbortController();
  const health: (string | undefined)[] = [];
  const done = follow(
    { client, backoff: { baseMs: 100, capMs: 6400, jitter: 0 }, random: () => 0, ...options },
    {
      replacing: () => {
        const names = new Set<string | undefined>();
        return {
          put: ({ metadata }) => void names.add(metadata.name),
          delete: ({ metadata }) => void names.delete(metadata.name),
          done: () => void seen.push(`replaced ${[...names].join()}`),
        };
      },
      changed: (type, { metadata }) => void seen.push(`${type} ${metadata.name}`),
      health: (error) => void health.push(error?.code),
    },
    stop.signal,
    rounds,
  );
  return {
    seen,
    health,
    watches,
    lists: () => lists,
    gaps: () => watches.slice(1).map(({ at }, i) => Math.round(at - (watches[i]?.at ?? 0))),
    end: async () => {
      stop.abort();
      await vi.runAllTimersAsync();
      await done;
    },
  };
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

describe('follow', () => {
  it('waits longer and longer while the initial stream breaks off half-way', async () => {
    const following = run(
      async function* () {
        yield added('a', 1);
        throw cut;
      },
      { initialState: 'stream' },
    );
    await vi.advanceTimersByTimeAsync(3200);
    expect(following.gaps()).toEqual([100, 200, 400, 800, 1600]);
    expect(following.seen).toEqual([]);
    await following.end();
  });

  it('counts an initial stream that ends half-way as a failure', async () => {
    const following = run(
      async function* () {
        yield added('a', 1);
        await after(2000);
      },
      { initialState: 'stream' },
    );
    await vi.advanceTimersByTimeAsync(2050);
    expect(following.health).toEqual(['KUBE_UNREACHABLE']);
    await vi.advanceTimersByTimeAsync(4200);
    expect(following.gaps()).toEqual([2100, 2200]);
    await following.end();
  });

  it('does not ask in a tight loop when watches end at once after telling nothing new', async () => {
    const following = run(
      async function* () {
        yield bookmark(5);
      },
      { backoff: { baseMs: 10_000, capMs: 40_000, jitter: 0 } },
    );
    await vi.advanceTimersByTimeAsync(110_000);
    expect(following.gaps()).toEqual([10_000, 20_000, 40_000, 40_000]);
    await following.end();
  });

  it('asks again at once when a watch ends after it told something new', async () => {
    let version = 5;
    const following = run(async function* () {
      await after(10);
      yield added('a', ++version);
    });
    await vi.advanceTimersByTimeAsync(50);
    expect(following.gaps()).toEqual([10, 10, 10, 10, 10]);
    await following.end();
  });

  it('forgets earlier failures once a watch lasted, even one that told nothing', async () => {
    let count = 0;
    const following = run(
      mute(async () => {
        count += 1;
        if (count > 4) await after(30_000);
        throw cut;
      }),
    );
    await vi.advanceTimersByTimeAsync(100_000);
    expect(following.gaps().slice(0, 6)).toEqual([100, 200, 400, 800, 30_100, 30_100]);
    await following.end();
  });

  it('tells that all is well again as soon as a watch is accepted', async () => {
    let count = 0;
    const following = run(
      mute(async ({ onOpen }) => {
        count += 1;
        if (count === 2) throw cut;
        onOpen?.();
        await after(count === 1 ? 10 : 600_000);
        if (count === 1) throw cut;
      }),
    );
    await vi.advanceTimersByTimeAsync(5000);
    expect(following.health).toEqual([undefined, 'KUBE_UNREACHABLE', 'KUBE_UNREACHABLE', undefined]);
    await following.end();
  });

  it('lists again when the server fails inside of a watch: resuming would meet the same', async () => {
    const failure = new KubeError('KUBE_SERVER_ERROR', 'cannot decode', { status: 500 });
    const following = run(
      mute(async ({ onOpen }) => {
        onOpen?.();
        throw failure;
      }),
    );
    await vi.advanceTimersByTimeAsync(350);
    expect(following.lists()).toBe(3);
    await following.end();
  });

  it('asks nothing more after a watch that ran its time', async () => {
    const following = run(async function* ({ timeoutSeconds = 0 }) {
      yield added('a', 9);
      await after(timeoutSeconds * 1000);
    });
    await vi.advanceTimersByTimeAsync(310_000);
    expect(following.watches).toHaveLength(2);
    expect(following.seen).toEqual(['replaced ', 'ADDED a']);
    await following.end();
  });

  it('resumes when a watch is refused because the server has no time, or breaks off', async () => {
    const failures = [
      new KubeError('KUBE_SERVER_ERROR', 'starting', { status: 503 }),
      new KubeError('KUBE_TOO_MANY_REQUESTS', 'busy', { status: 429 }),
      cut,
    ];
    const following = run(
      mute(async ({ onOpen }) => {
        const failure = failures.shift() ?? cut;
        if (failure.status !== 503) onOpen?.();
        throw failure;
      }),
    );
    await vi.advanceTimersByTimeAsync(1000);
    expect(following.watches.length).toBeGreaterThan(3);
    expect(following.lists()).toBe(1);
    await following.end();
  });

  it.each([
    ['ended in good order', async () => {}],
    [
      'was cut',
      async () => {
        throw cut;
      },
    ],
  ])('asks nothing but the next watch when one %s and the server was away, however long', async (_, end) => {
    let awayUntil = 0;
    const following = run(
      mute(async ({ onOpen, signal }) => {
        if (performance.now() < awayUntil) throw refused;
        onOpen?.();
        if (awayUntil > 0) return new Promise((resolve) => signal?.addEventListener('abort', () => resolve()));
        await after(1_000);
        awayUntil = performance.now() + 5_000;
        await end();
      }),
      { backoff: { baseMs: 200, capMs: 200 } },
    );
    await vi.advanceTimersByTimeAsync(10_000);
    expect(following.health.at(-1)).toBeUndefined();
    expect(following.watches.at(-1)?.options.resourceVersion).toBe('5');
    expect(following.lists()).toBe(1);
    await following.end();
  });

  it('lists again on demand, although its watch goes on', async () => {
    const lists = createRounds();
    const following = run(
      mute(async ({ onOpen, signal }) => {
        onOpen?.();
        await new Promise((resolve) => signal?.addEventListener('abort', resolve));
      }),
      { lists },
    );
    await vi.advanceTimersByTimeAsync(1_000);
    await lists.request();
    await vi.advanceTimersByTimeAsync(1_000);
    expect(following.lists()).toBe(2);
    expect(following.watches).toHaveLength(2);
    expect(following.health).not.toContain('KUBE_UNREACHABLE');
    await following.end();
  });

  it('watches from the version of the first page, in case later pages are newer', async () => {
    const following = run(neverending, {}, [page(5, 'next'), page(7)]);
    await vi.advanceTimersByTimeAsync(0);
    expect(following.watches).toMatchObject([{ options: { resourceVersion: '5' } }]);
    await following.end();
  });

  it('goes on after an error of any kind', async () => {
    let count = 0;
    const following = run((options) => {
      count += 1;
      if (count === 1) throw new TypeError('a bug somewhere');
      return neverending(options);
    });
    await vi.advanceTimersByTimeAsync(100);
    expect(following.health).toEqual(['KUBE_REQUEST_FAILED', undefined]);
    expect(following.watches).toHaveLength(2);
    await following.end();
  });
});

async function* neverending({ onOpen }: WatchOptions): AsyncIterable<Event> {
  onOpen?.();
  yield bookmark(6);
  await after(600_000);
}
