import { KubeError } from '../errors/kube-error.ts';
import type { KubeObject } from '../objects/meta.ts';
import { type Cache, ObjectCache } from './cache.ts';
import type { Change } from './change.ts';
import { type FollowOptions, follow } from './follow.ts';
import type { IndexFunction } from './object-index.ts';
import { withoutManagedFields } from './trim.ts';

export interface InformerOptions<T extends KubeObject> extends FollowOptions<T> {
  readonly indexes?: Readonly<Record<string, IndexFunction<T>>>;
  /** Applied to every object before it is cached. Default: drops managedFields. */
  readonly trim?: (object: T) => T;
  /** Milliseconds after which all objects are delivered again as updates to themselves. Default 0: never. */
  readonly resyncPeriodMs?: number;
  /** Told when a subscriber throws; the informer goes on. */
  readonly onSubscriberError?: (error: unknown) => void;
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
  addIndex(name: string, valuesOf: IndexFunction<T>): void;
}

/** Starts following; runs until `signal` aborts. */
export function startInformer<T extends KubeObject>(options: InformerOptions<T>, signal: AbortSignal): Informer<T> {
  const cache = new ObjectCache<T>(options.indexes);
  const trim = options.trim ?? withoutManagedFields;
  const subscribers = new Set<Subscriber<T>>();
  const sync = synced();
  let problem: KubeError | undefined;
  let hasSynced = false;

  function deliver(subscriber: Subscriber<T>, change: Change<T>): void {
    try {
      subscriber(change);
    } catch (error) {
      options.onSubscriberError?.(error);
    }
  }

  function publish(changes: readonly Change<T>[]): void {
    for (const change of changes) {
      for (const subscriber of subscribers) deliver(subscriber, change);
    }
  }

  const stopped = follow(
    options,
    {
      replaced: (objects) => {
        publish(cache.replace(mapped(objects, trim)));
        hasSynced = true;
        sync.resolve();
      },
      changed: (type, object) => {
        const trimmed = trim(object);
        publish(type === 'DELETED' ? cache.remove(trimmed) : cache.upsert(trimmed));
      },
      health: (error) => {
        problem = error;
      },
    },
    signal,
  ).finally(() =>
    sync.reject(new KubeError('KUBE_ABORTED', `The informer of ${options.client.type.plural} was stopped.`)),
  );

  const resync = options.resyncPeriodMs
    ? setInterval(() => {
        for (const [key, object] of cache.entries()) publish([{ type: 'updated', key, object, old: object }]);
      }, options.resyncPeriodMs)
    : undefined;
  void stopped.finally(() => clearInterval(resync));

  return {
    cache,
    synced: sync.promise,
    stopped,
    get hasSynced() {
      return hasSynced;
    },
    get problem() {
      return problem;
    },
    subscribe: (subscriber) => {
      for (const [key, object] of cache.entries()) deliver(subscriber, { type: 'added', key, object });
      subscribers.add(subscriber);
      return () => {
        subscribers.delete(subscriber);
      };
    },
    addIndex: (name, valuesOf) => cache.addIndex(name, valuesOf),
  };
}

function* mapped<T>(items: Iterable<T>, change: (item: T) => T): Iterable<T> {
  for (const item of items) yield change(item);
}

function synced(): { promise: Promise<void>; resolve: () => void; reject: (error: KubeError) => void } {
  let resolve = () => {};
  let reject: (error: KubeError) => void = () => {};
  const promise = new Promise<void>((yes, no) => {
    resolve = yes;
    reject = no;
  });
  // Nobody has to wait for the first sync; stopping before it must not count as an unhandled failure.
  promise.catch(() => {});
  return { promise, resolve, reject };
}
