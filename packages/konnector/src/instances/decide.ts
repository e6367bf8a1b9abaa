import { annotations, finalizers } from '@klutch/api';
import { refOf, type UnknownObject } from '@klutch/kube';
import { isForeign, marksOf, standingOf, type Standing } from '../ownership/marks.ts';
import type { Decision, Step } from './decision.ts';
import { type Evidence, type LookAt, mayDelete } from './evidence.ts';
import { shortfallOf, specVersionOf, statusOutcome } from './identity.ts';
import { isRevert } from './reverts.ts';
import { wantedCopy, wantedOriginal } from './render.ts';
import { parseStamp } from '../epoch/mark.ts';
import type { Seen, SeenCrd } from './seen.ts';
import { statusPatch, wantedStatus, withoutOwnCondition } from './status-patch.ts';
import { conflict, deleting, deletedAbove, rejected, unplaced, unreadable, withdrawn } from './waiting.ts';

/** Milliseconds that a missing original is given for others to be missed too. */
export const settleMs = 3_000;
/** Milliseconds after which a deletion that left no trace is sent again. */
const resendMs = 15_000;
/** Milliseconds between two looks at something no watch tells of. */
const lookAgainMs = 2_000;
const heldAgainMs = 30_000;

/** Pure: the next step for one key. */
export function decide(seen: Seen): Decision {
  const decision = decideCopy(seen);
  if (decision.step.do !== 'rest' || seen.app === undefined) return decision;
  const step = statusStep(seen, seen.app, decision);
  return step ? { ...decision, step } : decision;
}

const rest: Step = { do: 'rest' };

function decideCopy(seen: Seen): Decision {
  const { api, app, place, copy } = seen;
  if (api.withdrawn !== undefined) return { step: rest, ...(app ? withdrawn(seen, api.withdrawn) : {}) };
  if (place.state !== 'at') return withoutPlace(seen);
  if (copy.state === 'unknown') return app ? { step: rest, ...unreadable(seen, copy.problem) } : { step: rest };
  if (app === undefined) return withoutOriginal(seen, copy.object);
  if (app.metadata.deletionTimestamp !== undefined) return withEndingOriginal(seen, app, copy.object);
  return withOriginal(seen, app, copy.object);
}

/** No place on the control plane, so no copy either, unless there was one before. */
function withoutPlace(seen: Seen): Decision {
  const { app, place } = seen;
  if (app === undefined || place.state === 'at') return { step: rest };
  const isEnding = app.metadata.deletionTimestamp !== undefined;
  if (isEnding && !isHandled(app)) return { step: rest };
  if (isEnding && place.state === 'refused') {
    return place.copyAt ? withMovedCopy(seen, app) : { step: { do: 'release', original: app, withCrd: false } };
  }
  return { step: rest, ...unplaced(seen, place) };
}

/** The copy is where the backend no longer wants it; no watch tells of it, so it is asked for. */
function withMovedCopy(seen: Seen, app: UnknownObject): Decision {
  const { copy } = seen.looked;
  const decision = withEndingOriginal(seen, app, copy);
  return decision.step.do === 'rest' ? { ...decision, againMs: lookAgainMs } : decision;
}

function withoutOriginal(seen: Seen, copy: UnknownObject | undefined): Decision {
  if (copy === undefined) return { step: rest };
  const standing = standingIn(seen, copy);
  if (standing === 'otherCluster') return { step: rest, held: 'otherCluster' };
  if (standing === 'otherTenant' || isGoing(seen, copy)) return { step: rest };
  if (standing === 'unbound') return adopt(seen, copy);
  const { memory, api } = seen;
  if (memory.releasedWithCrd || api.orphans === 'Restore') return restore(seen, copy);
  const verdict = mayDelete(evidenceOf(seen, copy, standing));
  switch (verdict.answer) {
    case 'delete':
      return { step: { do: 'deleteCopy', copy, exactly: true } };
    case 'look':
      return { step: lookStep(verdict.at, seen, copy) };
    case 'hold':
      return { step: rest, held: verdict.reason, againMs: heldAgainMs };
    case 'wait':
    case 'keep':
      return { step: rest, againMs: lookAgainMs };
  }
}

/** Something that the provider made becomes visible to the user. */
function adopt(seen: Seen, copy: UnknownObject): Decision {
  const isAddressed = seen.api.isolation === 'ServiceNamespace' || marksOf(copy).tenant === seen.claimant.tenant;
  if (!isAddressed || isPlaceEnding(seen)) return { step: rest };
  return { step: { do: 'create', original: wantedOriginal(copy, refOf(seen.key), seen.render), copy } };
}

/** The original comes back, because it never was deleted or because the operator says so. */
function restore(seen: Seen, copy: UnknownObject): Decision {
  if (isPlaceEnding(seen)) return { step: rest };
  const { crd } = seen.looked;
  if (crd === undefined) return { step: { do: 'look', at: 'crd' } };
  if (!crd.isAvailable) return { step: rest, againMs: lookAgainMs };
  return { step: { do: 'create', original: wantedOriginal(copy, refOf(seen.key), seen.render), copy } };
}

function withEndingOriginal(seen: Seen, app: UnknownObject, copy: UnknownObject | undefined): Decision {
  const release = (withCrd = false): Decision =>
    isHandled(app) ? { step: { do: 'release', original: app, withCrd } } : { step: rest };
  if (copy === undefined) {
    if (!isHandled(app)) return { step: rest };
    const { isCopyGone, copyProblem } = seen.looked;
    if (copyProblem !== undefined) return { step: rest, ...unreadable(seen, copyProblem), againMs: heldAgainMs };
    const isGone = seen.memory.sawCopyGo ?? isCopyGone;
    if (isGone === undefined) return { step: { do: 'look', at: 'copy' } };
    return isGone ? release() : { step: rest, againMs: lookAgainMs };
  }
  const standing = standingIn(seen, copy);
  if (isForeign(standing)) return release();
  if (isGoing(seen, copy)) return { step: rest, ...deleting(seen, copy) };
  const evidence = evidenceOf(seen, copy, standing);
  const verdict = mayDelete(evidence);
  if (verdict.answer === 'look') return { step: lookStep(verdict.at, seen, copy) };
  if (verdict.answer === 'delete') return { step: { do: 'deleteCopy', copy, exactly: false } };
  return release(evidence.crd === 'unavailable');
}

function withOriginal(seen: Seen, app: UnknownObject, copy: UnknownObject | undefined): Decision {
  const { place, memory } = seen;
  if (place.state !== 'at') return { step: rest };
  const standing = copy && standingIn(seen, copy);
  if (copy && standing && isForeign(standing)) {
    return {
      step: rest,
      ...conflict(seen, copy, standing),
      ...(standing === 'otherCluster' ? { held: standing } : {}),
    };
  }
  if (copy && isGoing(seen, copy)) return { step: rest, ...deletedAbove(seen, copy) };
  if (place.ending) return { step: rest, ...unplaced(seen, place) };
  if (!isHandled(app) || app.metadata.annotations?.[annotations.bound] === undefined) {
    return { step: { do: 'claim', original: app } };
  }
  const wanted = wantedCopy(app, place.ref, seen.render);
  const lack = copy && shortfallOf(wanted, copy);
  if (copy && (lack === undefined || lack === memory.toleratedShortfall)) return { step: rest };
  if (copy && isRevert(wanted, copy) && memory.reverts && seen.now < memory.reverts.until) {
    return { step: rest, againMs: memory.reverts.until - seen.now };
  }
  if (isRefusedAlready(seen, wanted, copy)) return { step: rest, ...rejected(seen) };
  return {
    step: { do: 'apply', wanted, ...(copy ? { over: { copy, isTakeOver: isTakeOver(app, copy, standing) } } : {}) },
  };
}

/** The object is not known to be a copy of exactly this original. */
function isTakeOver(app: UnknownObject, copy: UnknownObject, standing: Standing | undefined): boolean {
  return standing !== 'ours' || marksOf(copy).sourceUid !== app.metadata.uid;
}

/** The same was refused a moment ago, and nothing has changed. */
function isRefusedAlready({ memory: { rejection }, now }: Seen, wanted: UnknownObject, copy?: UnknownObject): boolean {
  return (
    rejection !== undefined &&
    rejection.applied === marksOf(wanted).applied &&
    rejection.copyVersion === specVersionOf(copy) &&
    now < rejection.until
  );
}

/** Brings the status of the original to what it should show now. */
function statusStep(seen: Seen, app: UnknownObject, { waiting }: Decision): Step | undefined {
  const { api, memory } = seen;
  const mayShow = api.statusConditions && !memory.refusesCondition;
  const problem = mayShow && waiting?.isVisible ? waiting : undefined;
  const wanted = wantedStatus(baseStatus(seen, app), app['status'], problem, seen.date);
  const patch = statusPatch(app, wanted);
  if (patch === undefined || memory.toleratedStatus === statusOutcome(app, wanted)) return undefined;
  return { do: 'status', original: app, patch, wanted, hasCondition: problem !== undefined };
}

function baseStatus(seen: Seen, app: UnknownObject): unknown {
  const copy = seen.place.state === 'at' && seen.copy.state === 'known' ? seen.copy.object : undefined;
  if (copy === undefined || isForeign(standingIn(seen, copy))) return withoutOwnCondition(app['status']);
  return copy['status'];
}

function lookStep(at: LookAt, { looked }: Seen, copy: UnknownObject): Step {
  if (at !== 'line') return { do: 'look', at };
  return { do: 'confirm', stamp: marksOf(copy).stamp, timesSetBack: looked.timesSetBack ?? 0 };
}

function evidenceOf(seen: Seen, copy: UnknownObject, standing: Standing): Evidence {
  const { app, memory, looked, api } = seen;
  const { sourceUid, stamp } = marksOf(copy);
  const sawDeletion = sourceUid !== undefined && memory.deletedOriginal === sourceUid;
  return {
    standing,
    original: originalState(app),
    isSameOriginal: sourceUid !== undefined && sourceUid === app?.metadata.uid,
    isHandled: app !== undefined && isHandled(app),
    sawDeletion,
    isAbsentLive: looked.isOriginalAbsent,
    crd: looked.crd && crdState(looked.crd, seen, copy, sawDeletion),
    origin: seen.line.judge(stamp),
    isConfirmed: looked.isConfirmed,
    isBraked: seen.isBraked,
    isSettling: seen.missedSince === undefined || seen.now - seen.missedSince < settleMs,
    isStrange: memory.strangeCopy !== undefined && memory.strangeCopy === copy.metadata.uid,
    policy: api.orphans,
  };
}

function originalState(app: UnknownObject | undefined): Evidence['original'] {
  if (app === undefined) return 'absent';
  return app.metadata.deletionTimestamp === undefined ? 'alive' : 'terminating';
}

function crdState(crd: SeenCrd, seen: Seen, copy: UnknownObject, sawDeletion: boolean): Evidence['crd'] {
  // An original from before the CRD is one that a cache still shows; the CRD it belonged to is gone.
  if (!crd.isAvailable || (seen.app && !isNotNewer(crd, seen.app))) return 'unavailable';
  if (sawDeletion && crd.isFirst) return 'settled';
  return wasThereBefore(crd, seen, copy) ? 'settled' : 'newer';
}

/** Whether the CRD was there when the original was made; both are of the same cluster. What cannot be compared is no evidence. */
function isNotNewer(crd: SeenCrd, { metadata }: UnknownObject): boolean {
  return Date.parse(crd.created ?? '') <= Date.parse(metadata.creationTimestamp ?? '');
}

/** Whether the CRD was there before the copy got its stamp. */
function wasThereBefore(crd: SeenCrd, { line }: Seen, copy: UnknownObject): boolean {
  const [made, stamped] = [parseStamp(crd.stamp), parseStamp(marksOf(copy).stamp)];
  if (made === undefined || stamped === undefined || line.judge(marksOf(copy).stamp) !== 'here') return false;
  // A stamp of no epoch that is remembered was taken before all of them.
  return line.judge(crd.stamp) === 'elsewhere' || made.count < stamped.count;
}

function standingIn({ claimant, ground }: Seen, copy: UnknownObject): Standing {
  return standingOf(marksOf(copy), claimant, ground);
}

/** The copy is being deleted, as the watch shows or as we know better. */
function isGoing({ memory: { deletionSent }, now }: Seen, copy: UnknownObject): boolean {
  if (copy.metadata.deletionTimestamp !== undefined) return true;
  return deletionSent !== undefined && deletionSent.uid === copy.metadata.uid && now - deletionSent.at < resendMs;
}

function isPlaceEnding({ place }: Seen): boolean {
  return place.state === 'at' && place.ending;
}

function isHandled(app: UnknownObject): boolean {
  return app.metadata.finalizers?.includes(finalizers.syncer) ?? false;
}
