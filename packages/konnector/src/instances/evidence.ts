import type { Origin } from '../epoch/line.ts';
import type { Standing } from '../ownership/marks.ts';
import type { OrphanPolicy } from './bound-api.ts';

/** Everything that speaks for or against deleting a copy. */
export interface Evidence {
  /** Whose the copy is. */
  readonly standing: Standing;
  /** What the app cluster's watch shows in the place of the original. */
  readonly original: 'alive' | 'terminating' | 'absent';
  /** The original there is the one that the copy was made of. */
  readonly isSameOriginal: boolean;
  /** The original there carries the konnector's finalizer. */
  readonly isHandled: boolean;
  /** The watch delivered the deletion of the copy's original in this process. */
  readonly sawDeletion: boolean;
  /** The app cluster, asked just now, has no such original; undefined: not asked. */
  readonly isAbsentLive: boolean | undefined;
  /**
   * The API's CRD in the app cluster, as asked just now. `unavailable`: terminating or gone, so that its objects go with
   * it. `newer`: made after the copy, so that the original may have gone with an earlier one. undefined: not asked.
   */
  readonly crd: 'settled' | 'newer' | 'unavailable' | undefined;
  /** Where the original was when the copy got its stamp. */
  readonly origin: Origin;
  /**
   * The app cluster, asked after the original was found missing, is in the history in which the copy got its stamp;
   * undefined: not asked.
   */
  readonly isConfirmed: boolean | undefined;
  /** Too many originals are missing at once. */
  readonly isBraked: boolean;
  /** The original was missed only a moment ago; others may be missed with it. */
  readonly isSettling: boolean;
  /** The copy appeared while this process watched, and none of its own doing: somebody else has the same identity. */
  readonly isStrange: boolean;
  readonly policy: OrphanPolicy;
}

/** Why a copy without an original stays. */
export type HoldReason =
  | 'unknownOrigin'
  | 'strange'
  | 'setBack'
  | 'braked'
  | 'crdNewer'
  /** Of the app cluster that this one may succeed. */
  | 'notTakenOver';

export type DeleteVerdict =
  | { readonly answer: 'delete' }
  /** Never on this ground: the copy is not concerned. */
  | { readonly answer: 'keep' }
  /** Not until somebody decides. */
  | { readonly answer: 'hold'; readonly reason: HoldReason }
  /** Not yet. */
  | { readonly answer: 'wait' }
  /** More has to be known. */
  | { readonly answer: 'look'; readonly at: LookAt };

export type LookAt = 'crd' | 'original' | 'line';

/** Pure: the one place that says whether a copy may be deleted. */
export function mayDelete(evidence: Evidence): DeleteVerdict {
  const { standing, original } = evidence;
  if (original === 'alive' || standing === 'otherTenant' || standing === 'otherCluster') return keep;
  return original === 'terminating' ? whileTerminating(evidence) : whileAbsent(evidence);
}

const keep: DeleteVerdict = { answer: 'keep' };
const hold = (reason: HoldReason): DeleteVerdict => ({ answer: 'hold', reason });
const look = (at: LookAt): DeleteVerdict => ({ answer: 'look', at });

/** The user deletes the original, which is the best evidence there is; unless it only goes with its CRD. */
function whileTerminating({ standing, isSameOriginal, isHandled, crd }: Evidence): DeleteVerdict {
  if (standing === 'takeOver') return keep;
  if (standing === 'ours' ? !isSameOriginal : !isHandled) return keep;
  if (crd === undefined) return look('crd');
  return crd === 'unavailable' ? keep : { answer: 'delete' };
}

function whileAbsent(evidence: Evidence): DeleteVerdict {
  const { standing, policy, crd, isAbsentLive } = evidence;
  const isReleased = policy === 'Delete';
  if (standing === 'unbound' || policy === 'Restore') return keep;
  if (standing === 'takeOver') return hold('notTakenOver');
  if (standing === 'goMade' && !isReleased) return hold('unknownOrigin');
  if (evidence.isStrange) return hold('strange');
  const isProven = evidence.sawDeletion || isReleased;
  if (!isProven && evidence.origin !== 'here')
    return hold(evidence.origin === 'elsewhere' ? 'setBack' : 'unknownOrigin');
  if (evidence.isBraked && !isReleased) return hold('braked');
  if (evidence.isSettling) return { answer: 'wait' };
  if (crd === undefined) return look('crd');
  if (crd === 'unavailable') return { answer: 'wait' };
  if (crd === 'newer' && !isReleased) return hold('crdNewer');
  if (isAbsentLive === undefined) return look('original');
  if (!isAbsentLive) return { answer: 'wait' };
  if (isProven) return { answer: 'delete' };
  if (evidence.isConfirmed === undefined) return look('line');
  return evidence.isConfirmed ? { answer: 'delete' } : { answer: 'wait' };
}
