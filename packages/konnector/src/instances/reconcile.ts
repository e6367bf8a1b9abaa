import {
  type Change,
  type Clock,
  type Enqueue,
  type KubeObject,
  keyOf,
  type ObjectRef,
  type Reconcile,
  type ReconcileContext,
  type ReconcileResult,
  refOf,
  type UnknownObject,
} from '@klutch/kube';
import type { Link } from '../link/link.ts';
import { type Claimant, isForeign, marksOf, standingOf } from '../ownership/marks.ts';
import { type Placement, refOfPlace } from '../ownership/placement.ts';
import { act, type Hands } from './act.ts';
import type { BoundApi } from './bound-api.ts';
import type { Breaker } from './breaker.ts';
import { decide } from './decide.ts';
import type { Decision } from './decision.ts';
import { isOver } from './memory.ts';
import type { MetadataRules } from './metadata-rules.ts';
import type { CopyLook, Looked, Seen } from './seen.ts';
import type { Troubles } from './summary.ts';
import { createUnconfirmed } from './unconfirmed.ts';

/** What the two sides show, through caches that may lag. */
export interface Views {
  app(key: string): UnknownObject | undefined;
  /** Whether `app` has an answer; costs nothing. */
  hasApp(key: string): boolean;
  isFollowingApp(): boolean;
  copy(ref: ObjectRef): CopyLook;
  isFollowingCopy(ref: ObjectRef): boolean;
  /** Copies of ours on the control plane. */
  copies(): number;
}

export interface ReconcilerOptions {
  readonly link: Pick<Link, 'tenant' | 'appClusterId' | 'appLine' | 'events'> & { readonly clock: Clock };
  api(): BoundApi;
  readonly metadata: MetadataRules;
  readonly placement: Placement;
  readonly views: Views;
  readonly hands: Hands;
  readonly breaker: Breaker;
  readonly troubles: Troubles;
  readonly want: (appNamespace: string) => void;
  readonly enqueue: Enqueue;
}

/** Brings keys to rest, and takes note of what watches deliver. */
export interface Reconciler {
  readonly reconcile: Reconcile;
  /** Something happened in the app cluster. */
  appChanged(change: Change<UnknownObject>): void;
  /** Something happened to the object in the place of a copy of `key`. */
  copyChanged(key: string, change: Change<UnknownObject>, isFirst: boolean): void;
  stop(): void;
}

/** More steps than any key can need in one pass; beyond, a cluster does not do what it says. */
const mostSteps = 12;

export function createReconciler(options: ReconcilerOptions): Reconciler {
  const { link, placement, views, hands, breaker, troubles } = options;
  const { clock } = link;
  const { memory } = hands;

  const unconfirmed = createUnconfirmed({ clock, isAhead, look: (key) => options.enqueue(key) });

  return { reconcile, appChanged, copyChanged, stop: () => unconfirmed.stop() };

  async function reconcile(key: string, context: ReconcileContext): Promise<ReconcileResult | void> {
    let looked: Looked = {};
    for (let steps = 0; steps < mostSteps; steps++) {
      const seen = observe(key, looked);
      const decision = decide(seen);
      takeNote(seen, decision);
      if (decision.step.do === 'rest') return rest(seen, decision);
      const place = refOfPlace(seen.place);
      const task = { key, place, originalUid: seen.app?.metadata.uid, signal: context.signal, log: context.log };
      looked = { ...looked, ...(await act(decision.step, task, hands)) };
    }
    throw new Error('the object does not come to rest: a cluster changes it with every write');
  }

  function rest(seen: Seen, { againMs }: Decision): ReconcileResult | undefined {
    const { key, copy, place } = seen;
    if (isOver(seen)) memory.forget(key);
    // An object that has no place yet is still on its way up, and so counts from when it was first seen.
    const hasPlace = place.state === 'at' && copy.state === 'known';
    memory.change(key, { ...(hasPlace ? { changedUp: undefined } : {}), changedDown: undefined, seenAt: undefined });
    unconfirmed.rests(key, isAhead(key));
    return againMs === undefined ? undefined : { requeueAfter: againMs };
  }

  function isAhead(key: string): boolean {
    const place = placement.copyOf(refOf(key));
    return hands.writtenApp.isAhead(key) || (place.state === 'at' && hands.writtenCopies.isAhead(keyOf(place.ref)));
  }

  function observe(key: string, looked: Looked): Seen {
    const api = options.api();
    const app = hands.writtenApp.newest(key, views.app(key), views.isFollowingApp());
    const place = placement.copyOf(refOf(key));
    const copy: CopyLook = place.state === 'at' ? newestCopy(place.ref) : { state: 'unknown' };
    const { tenant, appClusterId } = link;
    return {
      key,
      api,
      claimant: claimant(),
      ground: placement.ground,
      render: { api, tenant, appClusterId, metadata: options.metadata },
      app,
      place,
      copy,
      memory: memory.of(key),
      looked,
      missedSince: noteMissing(key, app, copy),
      isBraked: breaker.isBraked(views.copies()),
      line: link.appLine,
      now: clock.now(),
      date: clock.date(),
    };
  }

  function newestCopy(ref: ObjectRef): CopyLook {
    const shown = views.copy(ref);
    if (shown.state === 'unknown') return shown;
    return { state: 'known', object: hands.writtenCopies.newest(keyOf(ref), shown.object, views.isFollowingCopy(ref)) };
  }

  function claimant(): Claimant {
    const { takeOverFrom } = options.api();
    return { tenant: link.tenant.clusterNamespace, appClusterId: link.appClusterId, takeOverFrom };
  }

  /** Keeps the breaker's count right, and tells since when the original is missing. */
  function noteMissing(key: string, app: UnknownObject | undefined, copy: CopyLook): number | undefined {
    if (copy.state === 'unknown') return undefined;
    if (app === undefined && copy.object && countsAsOrphan(copy.object)) breaker.miss(key, clock.now());
    else clearMissing(key);
    return breaker.missedSince(key);
  }

  function countsAsOrphan(copy: UnknownObject): boolean {
    const standing = standingOf(marksOf(copy), claimant(), placement.ground);
    return !isForeign(standing) && standing !== 'unbound' && copy.metadata.deletionTimestamp === undefined;
  }

  function clearMissing(key: string): void {
    if (breaker.missedSince(key) === undefined) return;
    const wasBraked = breaker.isBraked(views.copies());
    breaker.clear(key);
    if (wasBraked && !breaker.isBraked(views.copies())) for (const other of breaker.keys()) options.enqueue(other);
  }

  function takeNote(seen: Seen, decision: Decision): void {
    const { key, app } = seen;
    const { waiting } = decision;
    if (decision.want !== undefined) options.want(decision.want);
    troubles.note(key, decision);
    const held = waiting && { reason: waiting.reason, since: waiting.since };
    const announced = waiting?.isVisible ? `${waiting.reason} ${waiting.isWarning ? waiting.message : ''}` : undefined;
    if (app && waiting && announced !== undefined && announced !== seen.memory.announced) announce(app, waiting);
    const isAlive = app !== undefined && app.metadata.deletionTimestamp === undefined;
    // Whatever was known of an earlier original is history.
    const past = isAlive ? { releasedWithCrd: undefined, deletedOriginal: undefined } : {};
    memory.change(key, { ...past, waiting: held, announced });
  }

  function announce(app: KubeObject, { isWarning, reason, message }: NonNullable<Decision['waiting']>): void {
    link.events.event(app, { type: isWarning ? 'Warning' : 'Normal', reason, message });
  }

  function appChanged(change: Change<UnknownObject>): void {
    const { key } = change;
    if (change.type === 'deleted') {
      hands.writtenApp.deleted(key, change.object.metadata.uid);
      // Only what the watch itself tells counts; what a new list lacks may have vanished in any way.
      if (!change.lastKnown) memory.change(key, { deletedOriginal: change.object.metadata.uid });
      const place = placement.copyOf(refOf(key));
      // Counted at once: many deletions that arrive together must all be known before the first is acted on.
      if (place.state === 'at') noteMissing(key, undefined, views.copy(place.ref));
    } else if (hands.writtenApp.isAhead(key) && hands.writtenApp.isEcho(key, change.object)) {
      return;
    }
    const { changedUp = clock.now() } = memory.of(key);
    memory.change(key, { seenAt: clock.now(), changedUp: change.type === 'deleted' ? undefined : changedUp });
    options.enqueue(key);
  }

  function copyChanged(key: string, change: Change<UnknownObject>, isFirst: boolean): void {
    const { object } = change;
    if (change.type === 'deleted') {
      hands.writtenCopies.deleted(change.key, object.metadata.uid);
      if (!change.lastKnown) memory.change(key, { sawCopyGo: true });
      clearMissing(key);
    } else if (views.hasApp(key) && hands.writtenCopies.isEcho(change.key, object)) {
      return;
    } else {
      noteAppearance(key, object, change.type === 'added' ? (isFirst ? 'found' : 'new') : 'changed');
    }
    options.enqueue(key);
  }

  function noteAppearance(key: string, copy: UnknownObject, how: 'found' | 'new' | 'changed'): void {
    const before = memory.of(key);
    const isMissing = !views.hasApp(key) && hands.writtenApp.newest(key, undefined, true) === undefined;
    if (isMissing && countsAsOrphan(copy)) breaker.miss(key, clock.now());
    memory.change(key, {
      sawCopyGo: undefined,
      changedDown: before.changedDown ?? clock.now(),
      strangeCopy:
        how === 'new' && isMissing && isStrange(copy, before.deletedOriginal) ? copy.metadata.uid : before.strangeCopy,
    });
  }

  /** Whether a copy seems to be of ours, though nobody here made it. */
  function isStrange(copy: UnknownObject, deletedOriginal: string | undefined): boolean {
    const { sourceCluster, sourceUid, stamp } = marksOf(copy);
    if (sourceCluster !== link.appClusterId || deletedOriginal === sourceUid) return false;
    // One that this cluster stamped comes back with a control plane that was set back.
    return link.appLine.judge(stamp) !== 'here';
  }
}
