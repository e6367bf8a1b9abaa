import { InstanceReason } from '@klutch/api';
import type { UnknownObject } from '@klutch/kube';
import { marksOf, type Standing } from '../ownership/marks.ts';
import type { Place } from '../ownership/placement.ts';
import { isRecord } from './canonical.ts';
import type { Decision, Waiting } from './decision.ts';
import type { Seen } from './seen.ts';

/** What a decision that waits says about it. */
type Wait = Pick<Decision, 'waiting' | 'want' | 'againMs'>;

/** Milliseconds that everyday waits may take before they are shown. */
const namespaceMs = 10_000;
const deletionMs = 2_000;

/** There is no place for the copy, or none to which anything new may go. */
export function unplaced(seen: Seen, place: Place): Wait {
  const namespace = seen.app?.metadata.namespace ?? '';
  switch (place.state) {
    case 'unknown':
      return { ...waitFor(seen, noNamespace(namespace)), want: namespace };
    case 'waiting':
      return {
        ...waitFor(seen, { ...noNamespace(namespace, place.problem), ageMs: ageOf(seen, place.since) }),
        want: namespace,
      };
    case 'refused':
      return waitFor(seen, {
        reason: InstanceReason.NamespaceRefused,
        message: place.problem,
        isWarning: true,
        isNamespace: true,
        afterMs: 0,
      });
    case 'at':
      return waitFor(seen, {
        reason: InstanceReason.NamespaceEnding,
        message: `The counterpart of namespace "${namespace}" on the control plane is still being removed; the object is sent when that is done.`,
        isNamespace: true,
        afterMs: namespaceMs,
      });
  }
}

function noNamespace(namespace: string, problem?: string): Wish {
  const message = `Namespace "${namespace}" has no counterpart on the control plane yet.`;
  return {
    reason: InstanceReason.NamespaceNotReady,
    message: problem === undefined ? `${message} The provider has to create it.` : `${message} ${problem}`,
    isNamespace: true,
    isWarning: problem !== undefined,
    afterMs: namespaceMs,
  };
}

function ageOf({ date }: Seen, since: Date): number {
  return Math.max(0, date.getTime() - since.getTime());
}

/** The control plane has not been read where the copy belongs. */
export function unreadable(seen: Seen, problem: string | undefined): Wait {
  const message = 'The control plane has not shown yet what it has in the place of this object.';
  return waitFor(seen, {
    reason: InstanceReason.ControlPlaneUnreadable,
    message: problem === undefined ? message : `${message} ${problem}`,
    isWarning: problem !== undefined,
    afterMs: namespaceMs,
  });
}

/** The provider has ended the access of this tenant to the API. */
export function withdrawn(seen: Seen, why: string): Wait {
  return waitFor(seen, { reason: InstanceReason.EntitlementWithdrawn, message: why, isWarning: true, afterMs: 0 });
}

/** Somebody else's object is in the place of the copy. */
export function conflict(seen: Seen, copy: UnknownObject, standing: Standing): Wait {
  const { sourceCluster } = marksOf(copy);
  const message =
    standing === 'otherCluster'
      ? `The control plane has an object of this name that belongs to another app cluster (${sourceCluster}). To take it over, annotate the binding with klutch.anynines.com/take-over-from=${sourceCluster}; otherwise choose another name.`
      : 'The control plane has an object of this name that belongs to somebody else. Choose another name.';
  return waitFor(seen, { reason: InstanceReason.Conflict, message, isWarning: true, afterMs: 0 });
}

/** The control plane refused the copy. */
export function rejected(seen: Seen): Wait {
  const { rejection } = seen.memory;
  if (rejection === undefined) return {};
  const wait = waitFor(seen, {
    reason: InstanceReason.Rejected,
    message: `The control plane refuses this object: ${rejection.message}`,
    isWarning: true,
    afterMs: rejection.mayPass ? namespaceMs : 0,
  });
  const untilRetry = Math.max(1, rejection.until - seen.now);
  return { ...wait, againMs: Math.min(untilRetry, wait.againMs ?? untilRetry) };
}

/** The user deleted the original; the control plane is not done with the copy. */
export function deleting(seen: Seen, copy: UnknownObject): Wait {
  return waitFor(seen, {
    reason: InstanceReason.Deleting,
    message: `The control plane is deleting it. ${progressOf(copy)}`,
    afterMs: deletionMs,
  });
}

/** Somebody deletes the copy although the original lives. */
export function deletedAbove(seen: Seen, copy: UnknownObject): Wait {
  return waitFor(seen, {
    reason: InstanceReason.DeletedOnControlPlane,
    message: `It was deleted on the control plane, and is created there again as soon as it is gone. ${progressOf(copy)}`,
    isWarning: true,
    afterMs: deletionMs,
  });
}

/** Why the control plane is not done yet, as far as the object shows. */
function progressOf(copy: UnknownObject): string {
  const pending = copy.metadata.finalizers ?? [];
  const conditions = isRecord(copy['status']) ? copy['status']['conditions'] : undefined;
  const unhappy = (Array.isArray(conditions) ? conditions : [])
    .filter((one) => isRecord(one) && one['status'] === 'False' && typeof one['message'] === 'string' && one['message'])
    .map((one: Readonly<Record<string, unknown>>) => `${String(one['type'])}: ${String(one['message'])}`);
  const parts = [
    ...(pending.length === 0 ? [] : [`It waits for ${[...pending].sort().join(', ')}.`]),
    ...unhappy.slice(0, 3),
  ];
  return parts.length === 0 ? 'It should be gone in a moment.' : parts.join(' ');
}

interface Wish {
  readonly reason: string;
  readonly message: string;
  /** Milliseconds after which it is shown. */
  readonly afterMs: number;
  /** How long it is known to have lasted, if longer than this process knows. */
  readonly ageMs?: number;
  readonly isWarning?: boolean;
  readonly isNamespace?: boolean;
}

function waitFor({ memory, now }: Seen, wish: Wish): Wait {
  const { reason, message, afterMs, ageMs = 0, isWarning = false, isNamespace = false } = wish;
  const known = memory.waiting?.reason === reason ? memory.waiting.since : now;
  const since = Math.min(known, now - ageMs);
  const isVisible = now - since >= afterMs;
  const waiting: Waiting = { reason, message, since, isVisible, isWarning, isNamespace };
  return isVisible ? { waiting } : { waiting, againMs: Math.max(1, since + afterMs - now) };
}
