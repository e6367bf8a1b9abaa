import { type Change, type Clock, keyOf, type UnknownObject } from '@klutch/kube';
import { createWritten, type Written } from '../instances/written.ts';
import type { Owner } from './copy-marks.ts';
import type { Place } from './places.ts';
import { createSeenDeletions, type SeenDeletions } from './seen-deletions.ts';
import { createSettled, type Settled } from './settled.ts';

/** What is known of the pairs of one claimed type beyond what its caches show. It goes with the objects. */
export interface PairNotes {
  readonly settled: Settled;
  readonly written: Readonly<Record<Owner, Written>>;
  /** Pairs of which somebody was seen deleting the object on a side. */
  readonly deletionsSeen: Readonly<Record<Owner, SeenDeletions>>;
  /** A watch delivered a change on a side; `pair` is the key of its pair, undefined when that is not looked after. */
  delivered(side: Owner, change: Change<UnknownObject>, pair: string | undefined): void;
  /** When something of a pair first changed since this was last asked; now, if nothing has. */
  takeChange(pair: string): number;
  forget(pair: string): void;
  /** Neither side has an object of that name any more. */
  over(place: Namespaces, name: string): void;
  /** A namespace, and its place on the control plane, are no longer looked after. */
  leave(place: Namespaces): void;
  readonly size: number;
}

/** An app namespace and its place on the control plane. */
type Namespaces = Pick<Place, 'appNamespace' | 'serviceNamespace'>;

export function createPairNotes(clock: Pick<Clock, 'now'>): PairNotes {
  const settled = createSettled();
  const written = { Provider: createWritten(clock), Consumer: createWritten(clock) };
  const deletionsSeen = { Provider: createSeenDeletions(), Consumer: createSeenDeletions() };
  const changedAt = new Map<string, number>();

  function forget(pair: string): void {
    changedAt.delete(pair);
    for (const seen of Object.values(deletionsSeen)) seen.delete(pair);
  }

  return {
    settled,
    written,
    deletionsSeen,
    delivered: (side, change, pair) => {
      if (change.type === 'deleted') written[side].deleted(change.key, change.object.metadata.uid);
      if (pair === undefined) return;
      if (!changedAt.has(pair)) changedAt.set(pair, clock.now());
      if (change.type === 'deleted' && !change.lastKnown) deletionsSeen[side].add(pair);
      if (change.type === 'added') deletionsSeen[side].delete(pair);
    },
    takeChange: (pair) => {
      const at = changedAt.get(pair) ?? clock.now();
      changedAt.delete(pair);
      return at;
    },
    forget,
    // A watch by label tells of a copy that lost its label as of one that is gone, so that deletions alone prove nothing.
    over: ({ appNamespace, serviceNamespace }, name) => {
      settled.forget('Provider', keyOf({ namespace: serviceNamespace, name }));
      settled.forget('Consumer', keyOf({ namespace: appNamespace, name }));
    },
    leave: ({ appNamespace, serviceNamespace }) => {
      const namespaces = { Provider: serviceNamespace, Consumer: appNamespace };
      for (const side of ['Provider', 'Consumer'] as const) {
        written[side].leave(namespaces[side]);
        settled.leave(side, namespaces[side]);
        deletionsSeen[side].leave(appNamespace);
      }
      for (const pair of changedAt.keys()) if (pair.startsWith(`${appNamespace}/`)) changedAt.delete(pair);
    },
    get size() {
      const parts = [settled, ...Object.values(written), ...Object.values(deletionsSeen), changedAt];
      return parts.reduce((sum, { size }) => sum + size, 0);
    },
  };
}
