import { annotations } from '@klutch/api';
import { type Clock, type Informer, type Namespace, refOf } from '@klutch/kube';

/** How many service namespaces each app cluster has, those included that are just being made. */
export interface Occupancy {
  /** Without the one of that name. */
  used(clusterNamespace: string, except: string): number;
  /** Counts a namespace before it is made. */
  reserve(clusterNamespace: string, name: string): void;
  /** Takes back a reservation of one that was not made. */
  cancel(clusterNamespace: string, name: string): void;
  stop(): void;
}

/** Counts by what namespaces say of themselves; a reservation counts until the namespace is seen. */
export function createOccupancy(namespaces: Informer<Namespace>, clock: Clock): Occupancy {
  const seen = new Map<string, Set<string>>();
  /** When each was made. */
  const reserved = new Map<string, Map<string, number>>();

  const stop = namespaces.subscribe((change) => {
    if (change.type === 'updated') drop(change.old);
    if (change.type === 'deleted') return drop(change.object);
    const owner = ownerOf(change.object);
    if (owner === undefined) return;
    entry(seen, owner, () => new Set<string>()).add(change.key);
    reserved.get(owner)?.delete(change.key);
  });

  function drop(namespace: Namespace): void {
    const owner = ownerOf(namespace);
    if (owner !== undefined) seen.get(owner)?.delete(namespace.metadata.name ?? '');
  }

  return {
    used: (clusterNamespace, except) => {
      const known = seen.get(clusterNamespace);
      const pending = [...(reserved.get(clusterNamespace) ?? [])].filter(
        ([name, since]) => name !== except && !known?.has(name) && clock.now() - since < reservationMs,
      );
      return (known?.size ?? 0) - (known?.has(except) ? 1 : 0) + pending.length;
    },
    reserve: (clusterNamespace, name) => {
      entry(reserved, clusterNamespace, () => new Map<string, number>()).set(name, clock.now());
    },
    cancel: (clusterNamespace, name) => void reserved.get(clusterNamespace)?.delete(name),
    stop,
  };
}

/** The cluster namespace of a service namespace. */
function ownerOf({ metadata }: Namespace): string | undefined {
  const mapping = metadata.annotations?.[annotations.apiServiceNamespace];
  return mapping === undefined ? undefined : refOf(mapping).namespace;
}

function entry<V>(map: Map<string, V>, key: string, make: () => V): V {
  const found = map.get(key) ?? make();
  map.set(key, found);
  return found;
}

/** One that is not seen by then was not made, or deleted again before it could be seen. */
const reservationMs = 60_000;
