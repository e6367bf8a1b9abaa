import { type Backoff, backoffDelay } from '../backoff/backoff.ts';
import { type Clock, systemClock } from '../clock/clock.ts';
import { onAbort } from '../scope/on-abort.ts';
import { createDelayedKeys } from './delayed-keys.ts';
import type { QueueMetrics, QueueState } from './metrics.ts';
import { createReadyKeys } from './ready-keys.ts';

export interface AddOptions {
  /** Higher goes first. Adding a waiting key again can raise its priority, never lower it. Default 0. */
  readonly priority?: number;
}

export interface WorkQueueOptions<K extends string = string> {
  /** Tells queues apart in metrics. */
  readonly name: string;
  readonly backoff?: Backoff;
  /** The lane of a key, such as its namespace. Lanes take turns, so that a crowded one does not hold up the others. Default: one lane. */
  readonly laneOf?: (key: K) => string;
  /**
   * Every how many-th take serves the key that has been ready longest, whatever its priority. Low priorities thus keep a
   * fixed share of the work and no ready key starves, while an urgent key waits at most one turn more. Default 10.
   */
  readonly oldestEvery?: number;
  readonly clock?: Clock;
  /** Source of jitter in [0, 1). */
  readonly random?: () => number;
  readonly metrics?: QueueMetrics;
}

/**
 * Keys waiting for work. A key waits at most once and is worked on by one taker at a time. It has at most one pending
 * time: of several adds the earliest wins, and the highest priority.
 */
export interface WorkQueue<K extends string = string> {
  /** Makes the key ready now; a key that is being worked on becomes ready again when done. */
  add(key: K, options?: AddOptions): void;
  /** Makes the key ready after `ms`, unless it is or becomes so earlier. */
  addAfter(key: K, ms: number, options?: AddOptions): void;
  /** Counts a failure of the key and adds it after its back-off; a taken key keeps the priority it was taken with. */
  retry(key: K): void;
  /** Sets the failures of the key back to none. */
  forget(key: K): void;
  /** Failures in a row since the key was last forgotten. */
  failures(key: K): number;
  /** The next key, as soon as there is one; undefined when the queue is shut down or the signal aborts. */
  take(signal?: AbortSignal): Promise<K | undefined>;
  /** Ends the work on a taken key. Throws for a key that is not taken. */
  done(key: K): void;
  /**
   * Ignores further adds and drops delayed keys. Ready keys are dropped too, unless `drain`, with which they are still
   * handed out. Resolves when every taken key is done.
   */
  shutdown(options?: { readonly drain?: boolean }): Promise<void>;
  state(): QueueState;
}

/** An empty, open work queue. */
export function createWorkQueue<K extends string = string>(options: WorkQueueOptions<K>): WorkQueue<K> {
  const { name, backoff = {}, oldestEvery = 10, clock = systemClock, random = Math.random, metrics } = options;
  const ready = createReadyKeys<K>(oldestEvery, options.laneOf);
  const delayed = createDelayedKeys<K>(clock, (key, priority) => add(key, { priority }));
  const working = new Map<K, Work>();
  const failures = new Map<K, number>();
  const takers = new Set<(key: K | undefined) => void>();
  const idleListeners: (() => void)[] = [];
  const closeMetrics = metrics?.queueOpened(name, state);
  let phase: 'open' | 'draining' | 'closed' = 'open';

  return { add, addAfter, retry, forget, failures: failuresOf, take, done, shutdown, state };

  function add(key: K, { priority = 0 }: AddOptions = {}): void {
    if (phase !== 'open') return;
    metrics?.queueAdded(name);
    makeReady(key, Math.max(priority, delayed.remove(key) ?? priority));
    serve();
  }

  function addAfter(key: K, ms: number, { priority = 0 }: AddOptions = {}): void {
    if (phase !== 'open') return;
    if (!(ms > 0)) return add(key, { priority });
    const isPendingNow = ready.has(key) || working.get(key)?.again !== undefined;
    if (isPendingNow) return makeReady(key, priority);
    delayed.add(key, clock.now() + ms, priority);
  }

  function retry(key: K): void {
    if (phase !== 'open') return;
    const count = failuresOf(key) + 1;
    failures.set(key, count);
    metrics?.queueRetried(name);
    addAfter(key, backoffDelay(count, backoff, random), { priority: working.get(key)?.priority });
  }

  function forget(key: K): void {
    failures.delete(key);
  }

  function failuresOf(key: K): number {
    return failures.get(key) ?? 0;
  }

  function take(signal?: AbortSignal): Promise<K | undefined> {
    if (signal?.aborted) return Promise.resolve(undefined);
    const key = next();
    if (key !== undefined || isExhausted()) return Promise.resolve(key);
    return new Promise((resolve) => {
      const taker = (taken: K | undefined) => {
        takers.delete(taker);
        leave?.();
        resolve(taken);
      };
      takers.add(taker);
      const leave = signal && onAbort(signal, () => taker(undefined));
    });
  }

  function done(key: K): void {
    const work = working.get(key);
    if (work === undefined) throw new Error(`queue "${name}": done was called for a key that is not taken`);
    metrics?.queueWorked(name, secondsSince(work.since));
    working.delete(key);
    if (work.again !== undefined && phase !== 'closed') makeReady(key, work.again);
    serve();
    settle();
  }

  function shutdown({ drain = false }: { readonly drain?: boolean } = {}): Promise<void> {
    if (phase !== 'closed') phase = drain ? 'draining' : 'closed';
    delayed.clear();
    if (phase === 'closed') ready.clear();
    return new Promise((resolve) => {
      idleListeners.push(resolve);
      settle();
    });
  }

  function state(): QueueState {
    const seconds = [...working.values()].map((work) => secondsSince(work.since));
    return {
      ready: ready.size,
      delayed: delayed.size,
      processing: working.size,
      unfinishedSeconds: seconds.reduce((sum, one) => sum + one, 0),
      longestSeconds: seconds[0] ?? 0,
    };
  }

  function makeReady(key: K, priority: number): void {
    const work = working.get(key);
    if (work === undefined) ready.add(key, priority, clock.now());
    else work.again = Math.max(priority, work.again ?? priority);
  }

  function next(): K | undefined {
    const entry = ready.next();
    if (entry === undefined) return undefined;
    metrics?.queueWaited(name, secondsSince(entry.since));
    working.set(entry.key, { priority: entry.priority, since: clock.now() });
    return entry.key;
  }

  function serve(): void {
    for (const taker of takers) {
      const key = next();
      if (key === undefined) return;
      taker(key);
    }
  }

  function isExhausted(): boolean {
    return phase === 'closed' || (phase === 'draining' && ready.size === 0 && working.size === 0);
  }

  function settle(): void {
    if (!isExhausted()) return;
    for (const taker of takers) taker(undefined);
    if (working.size > 0) return;
    closeMetrics?.();
    for (const listener of idleListeners.splice(0)) listener();
  }

  function secondsSince(time: number): number {
    return (clock.now() - time) / 1000;
  }
}

interface Work {
  /** The priority the key was taken with. */
  readonly priority: number;
  readonly since: number;
  /** Priority of an add that came during the work. */
  again?: number;
}
