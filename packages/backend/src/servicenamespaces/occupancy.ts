import { annotations } from '@klutch/api';
import { type Clock, type Informer, keyOf, type Namespace, refOf } from '@klutch/kube';

/** How many service namespaces each app cluster has, those included that are just being made. */
export interface Occupancy {
  /** Without the one of that name. */
  used(clusterNamespace: string, except: string): number;
  /** Counts a namespace before it is made. */
  reserve(clusterNamespace: string, name: string): void;
  /** Takes back a reservation of one that was not made. */
  cancel(clusterNamespace: string, name: string): void;
  /** App clusters that have service namespaces, and reservations that count. */
  readonly size: number;
  stop(): void;
}

/** Counts by what namespaces say of themselves; a reservation counts until the namespace is seen. */
export function createOccupancy(namespaces: Informer<Namespace>, clock: Clock): Occupancy {
  const seen = new Map<string, Set<string>>();
  /** By cluster namespace and name, the oldest first. */
  const reserved = new Map<string, Reservation>();

  const stop = namespaces.subscribe((change) => {
    if (change.type === 'updated') drop(change.old);
    if (change.type === 'deleted') return drop(change.object);
    const owner = ownerOf(change.object);
    if (owner === undefined) return;
    seen.set(owner, (seen.get(owner) ?? new Set()).add(change.key));
    reserved.delete(keyOf({ namespace: owner, name: change.key }));
  });

  function drop(namespace: Namespace): void {
    const owner = ownerOf(namespace) ?? '';
    const names = seen.get(owner);
    names?.delete(namespace.metadata.name ?? '');
    if (names?.size === 0) seen.delete(owner);
  }

  function pending(): readonly Reservation[] {
    for (const [key, { since }] of reserved) {
      if (clock.now() - since < reservationMs) break;
      reserved.delete(key);
    }
    return [...reserved.values()];
  }

  return {
    used: (clusterNamespace, except) => {
      const known = new Set(seen.get(clusterNamespace));
      for (const one of pending()) if (one.clusterNamespace === clusterNamespace) known.add(one.name);
      known.delete(except);
      return known.size;
    },
    reserve: (clusterNamespace, name) => {
      const key = keyOf({ namespace: clusterNamespace, name });
      reserved.delete(key);
      reserved.set(key, { clusterNamespace, name, since: clock.now() });
    },
    cancel: (clusterNamespace, name) => void reserved.delete(keyOf({ namespace: clusterNamespace, name })),
    get size() {
      return seen.size + pending().length;
    },
    stop,
  };
}

interface Reservation {
  readonly clusterNamespace: string;
  readonly name: string;
  readonly since: number;
}

/** The cluster namespace of a service namespace. */
function ownerOf({ metadata }: Namespace): string | undefined {
  const mapping = metadata.annotations?.[annotations.apiServiceNamespace];
  return mapping === undefined ? undefined : refOf(mapping).namespace;
}

/** One that is not seen by then was not made, or deleted again before it could be seen. */
const reservationMs = 60_000;
