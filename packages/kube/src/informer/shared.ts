import type { KubeObject } from '../objects/meta.ts';
import type { ResourceType } from '../objects/resource-type.ts';
import type { KubeClient } from '../resources/types.ts';
import { type Scope, scope } from '../scope/scope.ts';
import { type Informer, type InformerOptions, startInformer } from './informer.ts';
import type { IndexFunction } from './object-index.ts';
import { type Selection, selectionOf } from './selection.ts';

export interface SharedQuery<T extends KubeObject> extends Selection {
  readonly type: ResourceType<T>;
  /** Added to the shared informer; a name stands for the same function wherever it is used. */
  readonly indexes?: Readonly<Record<string, IndexFunction<T>>>;
}

/** A share in an informer. The watch ends when the last share is released. */
export interface InformerShare<T extends KubeObject> {
  readonly informer: Informer<T>;
  /** Gives the share back; releasing twice is harmless. */
  release(): void;
}

/** Informers of one cluster, one per distinct selection however many ask for it. */
export interface SharedInformers {
  acquire<T extends KubeObject>(query: SharedQuery<T>): InformerShare<T>;
  /** Fetches the state of all informers anew; resolves when those that go on have it, and never rejects. */
  relist(): Promise<void>;
  /** Distinct informers running now. */
  readonly size: number;
  /** Resolves when every informer has ended after the signal aborted. */
  readonly stopped: Promise<void>;
}

type Tuning = Pick<
  InformerOptions<KubeObject>,
  'pageSize' | 'initialState' | 'inactivityMs' | 'backoff' | 'resyncPeriodMs' | 'onError' | 'trim' | 'packing'
>;

export function createSharedInformers(client: KubeClient, signal: AbortSignal, tuning: Tuning = {}): SharedInformers {
  const running = new Map<string, Running>();
  const life = scope(signal);

  function start(key: string, query: SharedQuery<KubeObject>): Running {
    const own = life.child();
    const options = { ...tuning, ...selectionOf(query), client: client.resource(query.type) };
    const informer = startInformer(options, own.signal);
    void own.run(() => informer.stopped);
    const entry: Running = { informer, own, shares: 0, indexes: new Set() };
    running.set(key, entry);
    return entry;
  }

  function acquire<T extends KubeObject>(query: SharedQuery<T>): InformerShare<T> {
    const key = keyOfQuery(query);
    // The map holds informers of many types; the key makes sure that this one is of type T.
    const erased = query as unknown as SharedQuery<KubeObject>;
    const entry = running.get(key) ?? start(key, erased);
    entry.shares += 1;
    for (const [name, valuesOf] of Object.entries(erased.indexes ?? {})) {
      if (!entry.indexes.has(name)) entry.informer.addIndex(name, valuesOf);
      entry.indexes.add(name);
    }
    let held = true;
    return {
      informer: entry.informer as unknown as Informer<T>,
      release: () => {
        if (!held) return;
        held = false;
        entry.shares -= 1;
        if (entry.shares > 0) return;
        running.delete(key);
        entry.own.end();
      },
    };
  }

  return {
    acquire,
    relist: async () => {
      await Promise.allSettled([...running.values()].map(({ informer }) => informer.relist()));
    },
    get size() {
      return running.size;
    },
    stopped: life.ended,
  };
}

interface Running {
  readonly informer: Informer<KubeObject>;
  readonly own: Scope;
  readonly indexes: Set<string>;
  shares: number;
}

function keyOfQuery({
  type,
  ...query
}: Selection & { readonly type: Pick<ResourceType, 'group' | 'version' | 'plural'> }): string {
  return JSON.stringify([type.group, type.version, type.plural, selectionOf(query)]);
}
