import {
  type Change,
  type Informer,
  type InformerShare,
  type KubeError,
  keyOf,
  type ObjectRef,
  type SharedInformers,
  type UnknownObject,
} from '@klutch/kube';
import type { NamespaceMap } from '../namespaces/namespace-map.ts';
import type { BoundApi } from './bound-api.ts';
import type { CopyLook } from './seen.ts';

/** The control plane's side of an API, as far as it may be watched. */
export interface Copies {
  look(ref: ObjectRef): CopyLook;
  /** Whether the cache that holds the place is being kept up to date. */
  isFollowing(ref: ObjectRef): boolean;
  /** Why some place cannot be followed right now. */
  problem(): KubeError | undefined;
  /** Resolves when all that could be read at the start has been. */
  readonly ready: Promise<void>;
  stop(): void;
}

export interface CopiesOptions {
  readonly api: Pick<BoundApi, 'controlPlaneType' | 'isolation' | 'informerScope'>;
  readonly clusterNamespace: string;
  readonly informers: SharedInformers;
  readonly namespaces: NamespaceMap;
  /** Told of every change, and first of all that is there. `isFirst`: it was there when the watch began. */
  readonly changed: (change: Change<UnknownObject>, isFirst: boolean) => void;
  /** The side of an app namespace, or of all, can now be looked at. */
  readonly arrived: (appNamespace: string | undefined) => void;
  /** A namespace of the control plane is no longer looked at. */
  readonly left: (serviceNamespace: string, appNamespace: string) => void;
}

/** Follows the copies: in one watch where that is allowed, otherwise namespace by namespace as they are mapped. */
export function followCopies(options: CopiesOptions): Copies {
  const { api, clusterNamespace } = options;
  if (api.isolation === 'Namespaced') return followOne(options, clusterNamespace);
  const isByNamespace = api.isolation === 'ServiceNamespace' && api.informerScope === 'Namespaced';
  return isByNamespace ? followMapped(options) : followOne(options, undefined);
}

function followOne(options: CopiesOptions, namespace: string | undefined): Copies {
  const watch = startWatch(options, namespace, undefined);
  // What lies in a namespace says something only once that is known to be ours.
  const unsubscribe = options.namespaces.subscribe((appNamespace) => {
    const mapping = options.namespaces.of(appNamespace);
    if (mapping.state !== 'ready' && mapping.state !== 'ending') return;
    const prefix = `${mapping.serviceNamespace}/`;
    for (const key of watch.informer.cache.keys()) {
      const object = key.startsWith(prefix) ? watch.informer.cache.getByKey(key) : undefined;
      if (object) options.changed({ type: 'added', key, object }, true);
    }
  });
  return {
    look: (ref) => lookIn(watch.informer, ref),
    isFollowing: () => watch.informer.problem === undefined,
    problem: () => watch.informer.problem,
    ready: watch.settled,
    stop: () => {
      unsubscribe();
      watch.stop();
    },
  };
}

/** One namespace that cannot be read delays none of the others. */
function followMapped(options: CopiesOptions): Copies {
  const { namespaces } = options;
  const watches = new Map<string, Watch>();
  const places = new Map<string, string>();

  const unsubscribe = namespaces.subscribe((appNamespace) => {
    const mapping = namespaces.of(appNamespace);
    const place = mapping.state === 'ready' || mapping.state === 'ending' ? mapping.serviceNamespace : undefined;
    const before = places.get(appNamespace);
    if (place === before) return;
    if (before !== undefined) {
      watches.get(before)?.stop();
      watches.delete(before);
      places.delete(appNamespace);
      options.left(before, appNamespace);
    }
    if (place === undefined) return;
    places.set(appNamespace, place);
    watches.set(place, startWatch(options, place, appNamespace));
  });
  const watchOf = ({ namespace = '' }: ObjectRef) => watches.get(namespace)?.informer;
  return {
    look: (ref) => {
      const informer = watchOf(ref);
      return informer ? lookIn(informer, ref) : { state: 'unknown' };
    },
    isFollowing: (ref) => watchOf(ref)?.problem === undefined,
    problem: () => [...watches.values()].find(({ informer }) => informer.problem)?.informer.problem,
    ready: Promise.all([...watches.values()].map(({ settled }) => settled)).then(() => {}),
    stop: () => {
      unsubscribe();
      for (const watch of watches.values()) watch.stop();
      watches.clear();
    },
  };
}

interface Watch {
  readonly informer: Informer<UnknownObject>;
  /** Resolves when it has synced, was stopped, or has been refused for so long that nobody should wait. */
  readonly settled: Promise<void>;
  stop(): void;
}

/** Milliseconds that the start waits for a place that cannot be read. */
const patienceMs = 5_000;

function startWatch(options: CopiesOptions, namespace: string | undefined, appNamespace: string | undefined): Watch {
  const share: InformerShare<UnknownObject> = options.informers.acquire({
    type: options.api.controlPlaneType,
    namespace,
  });
  const { informer } = share;
  let isStopped = false;
  // Objects of the first list are told apart from what appears later: the former may be anything's leftovers.
  let isFirst = true;
  const unsubscribe = informer.subscribe((change) => options.changed(change, isFirst));
  const synced = informer.synced.then(
    () => {
      isFirst = false;
      if (!isStopped) options.arrived(appNamespace);
    },
    () => {},
  );
  let giveUp: NodeJS.Timeout | undefined;
  const patience = new Promise<void>((resolve) => {
    giveUp = setTimeout(resolve, patienceMs);
  });
  return {
    informer,
    settled: Promise.race([synced, patience]).finally(() => clearTimeout(giveUp)),
    stop: () => {
      isStopped = true;
      clearTimeout(giveUp);
      unsubscribe();
      share.release();
    },
  };
}

function lookIn(informer: Informer<UnknownObject>, ref: ObjectRef): CopyLook {
  if (informer.hasSynced) return { state: 'known', object: informer.cache.getByKey(keyOf(ref)) };
  return { state: 'unknown', problem: informer.problem?.message };
}
