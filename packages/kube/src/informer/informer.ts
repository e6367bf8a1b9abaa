import { KubeError } from '../errors/kube-error.ts';
import type { KubeObject, ObjectRef } from '../objects/meta.ts';
import type { Cache } from './cache.ts';
import type { Change } from './change.ts';
import { type FollowOptions, follow } from './follow.ts';
import { LearningCache } from './learning-cache.ts';
import type { IndexFunction } from './object-index.ts';
import { createPacking, type PackingKind } from './packed.ts';
import { createRounds } from '../rounds/rounds.ts';
import { withoutManagedFields } from './trim.ts';

export interface InformerOptions<T extends KubeObject> extends FollowOptions<T> {
  readonly indexes?: Readonly<Record<string, IndexFunction<T>>>;
  /** Applied to every object before it is cached. Default: drops managedFields. */
  readonly trim?: (object: T) => T;
  /** How objects are kept. Default `text`; `compressed` for types of which there may be many. */
  readonly packing?: PackingKind;
  /** Milliseconds after which all objects are delivered again as updates to themselves. Default 0: never. */
  readonly resyncPeriodMs?: number;
  /** Told when a subscriber, an index or `trim` throws; the informer goes on. Default: a warning of the process. */
  readonly onError?: (error: unknown) => void;
}

export type Subscriber<T extends KubeObject> = (change: Change<T>) => void;

/** A local, always current copy of a selection of objects. */
export interface Informer<T extends KubeObject> {
  readonly cache: Cache<T>;
  /** Resolves when the cache first equals the server's state; rejects with `KUBE_ABORTED` when stopped before that. */
  readonly synced: Promise<void>;
  readonly hasSynced: boolean;
  /** Why the server cannot be followed right now; undefined while all is well. */
  readonly problem: KubeError | undefined;
  /** Resolves when the informer has ended after its signal aborted. */
  readonly stopped: Promise<void>;
  /** Delivers what is cached as `added`, then every change in order; call the result to end it. */
  subscribe(subscriber: Subscriber<T>): () => void;
  /** Calls back whenever the server has accepted a watch: it may be in another state than the one before; call the result to end it. */
  onOpen(opened: () => void): () => void;
  addIndex(name: string, valuesOf: IndexFunction<T>): void;
  /**
   * Takes in an object of the selection as the server has just answered, to a write of this process above all. From then on the
   * cache never shows an older state, so that a reconcile never acts on less than its own last write. Subscribers are told at
   * once, and not again by the watch. An answer that the watch has overtaken changes nothing.
   */
  learn(object: T): void;
  /** Takes in that the server has just answered that the object with this UID is gone; false alarms of the watch are not shown. */
  learnGone(ref: ObjectRef, uid: string | undefined): void;
  /** Whether the cache has something of the key that the watch has not confirmed yet. */
  isAhead(key: string): boolean;
  /**
   * Fetches the state anew, because the server may have come back from a backup, which a resumed watch does not tell.
   * Resolves when the cache equals a state from after the call; rejects with `KUBE_ABORTED` when stopped before that.
   */
  relist(): Promise<void>;
}

/** Starts following; runs until `signal` aborts. */
export function startInformer<T extends KubeObject>(options: InformerOptions<T>, signal: AbortSignal): Informer<T> {
  const { trim = withoutManagedFields, onError = warn } = options;
  const cache = new LearningCache<T>({}, createPacking(options.packing ?? 'text'));
  const subscribers = new Set<Subscriber<T>>();
  const openings = new Set<{ readonly opened: () => void }>();
  const lists = createRounds();
  const synced = lists.request();
  // Nobody has to wait for the first sync; stopping before it must not count as an unhandled failure.
  synced.catch(() => {});
  let problem: KubeError | undefined;
  let hasSynced = false;

  function attempt<R>(work: () => R, otherwise: R): R {
    try {
      return work();
    } catch (error) {
      onError(error);
      return otherwise;
    }
  }

  const deliver = (subscriber: Subscriber<T>, change: Change<T>) => attempt(() => subscriber(change), undefined);
  const trimmed = (object: T) => attempt(() => trim(object), object);

  function publish(changes: Iterable<Change<T>>): void {
    // Who subscribes meanwhile finds all these changes in the cache already.
    const audience = [...subscribers];
    for (const change of changes) {
      for (const subscriber of audience) if (subscribers.has(subscriber)) deliver(subscriber, change);
    }
  }

  function addIndex(name: string, valuesOf: IndexFunction<T>): void {
    cache.addIndex(name, (object) => attempt(() => [...valuesOf(object)], []));
  }

  for (const [name, valuesOf] of Object.entries(options.indexes ?? {})) addIndex(name, valuesOf);

  const stopped = follow(
    options,
    {
      replacing: () => {
        const next = cache.replacing();
        return {
          put: (object) => next.put(trimmed(object)),
          delete: next.delete,
          done: (version) => {
            publish(next.done(version));
            hasSynced = true;
          },
        };
      },
      changed: (type, object) => publish(cache.told(type, trimmed(object))),
      health: (error) => {
        problem = error;
        if (error === undefined) for (const { opened } of openings) attempt(opened, undefined);
      },
    },
    signal,
    lists,
  ).finally(() =>
    lists.end(new KubeError('KUBE_ABORTED', `The informer of ${options.client.type.plural} was stopped.`)),
  );

  const resync = options.resyncPeriodMs
    ? setInterval(() => {
        for (const [key, object] of cache.entries()) publish([{ type: 'updated', key, object, old: object }]);
      }, options.resyncPeriodMs)
    : undefined;
  void stopped.finally(() => {
    clearInterval(resync);
    cache.leave();
  });

  return {
    cache,
    synced,
    stopped,
    get hasSynced() {
      return hasSynced;
    },
    get problem() {
      return problem;
    },
    subscribe: (subscriber) => {
      for (const change of cache.added()) deliver(subscriber, change);
      // A subscription of its own, also for a function that is subscribed already.
      const subscription: Subscriber<T> = (change) => subscriber(change);
      subscribers.add(subscription);
      return () => {
        subscribers.delete(subscription);
      };
    },
    onOpen: (opened) => {
      const entry = { opened };
      openings.add(entry);
      return () => void openings.delete(entry);
    },
    learn: (object) => publish(cache.learn(trimmed(object))),
    learnGone: (ref, uid) => publish(cache.learnGone(ref, uid)),
    isAhead: (key) => cache.isAhead(key),
    addIndex,
    relist: () => lists.request(),
  };
}

function warn(error: unknown): void {
  process.emitWarning(error instanceof Error ? error : String(error));
}
