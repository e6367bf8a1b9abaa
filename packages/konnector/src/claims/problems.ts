import {
  APIServiceBindingReason,
  type ConditionSeverity,
  type ConditionState,
  ConditionType,
  falseCondition,
  trueCondition,
} from '@klutch/api';
import type { BindingRef } from '../bindings/binding-board.ts';
import type { AcceptedClaim } from './accepted-claim.ts';

/** What is wrong with one pair of objects. */
export interface ObjectProblem {
  readonly kind: 'conflict' | 'held' | 'refused' | 'setBack';
  /** UIDs of the bindings concerned; all when absent. */
  readonly bindings?: readonly string[];
  readonly message: string;
}

export interface ProblemsSeen {
  /** `<plural>.<group>` of the claimed type. */
  readonly type: string;
  readonly claims: readonly AcceptedClaim[];
  /** Claims that ask for something that cannot be had, with the reason. */
  readonly refused: ReadonlyMap<AcceptedClaim, string>;
  /** Why the type cannot be used at all. */
  readonly unavailable?: string;
  /** Why the type cannot be watched somewhere. */
  readonly unwatched: readonly string[];
  /** By app namespace and name. */
  readonly objects: ReadonlyMap<string, ObjectProblem>;
}

/** The condition `ClaimsSynced` of a binding, as far as its claims on this type are concerned. */
export function claimsCondition(binding: BindingRef, seen: ProblemsSeen): ConditionState {
  const own = seen.claims.filter((claim) => claim.binding.uid === binding.uid);
  const severity = own.some(({ claim }) => claim.required) ? 'Error' : 'Warning';
  const refusal = own.flatMap((claim) => seen.refused.get(claim) ?? [])[0];
  if (refusal !== undefined)
    return unavailable(
      severity,
      `The claim on ${seen.type} cannot be served: ${refusal}. Ask the provider to change it, or reject it.`,
    );
  if (seen.unavailable !== undefined)
    return unavailable(severity, `${seen.unavailable} The konnector tries again by itself.`);
  const [unwatched] = seen.unwatched;
  if (unwatched !== undefined)
    return unavailable(
      severity,
      `${unwatched} Grant the rights or install the type; the konnector tries again by itself.`,
    );
  const found = objectProblem(binding, seen.objects);
  return found === undefined ? trueCondition(ConditionType.ClaimsSynced) : objectCondition(found, seen.type);
}

type Found = readonly [key: string, problem: ObjectProblem];

/** The first one in a fixed order, so that the condition does not flicker between many. */
function objectProblem(binding: BindingRef, objects: ReadonlyMap<string, ObjectProblem>): Found | undefined {
  const own = [...objects].filter(([, { bindings }]) => bindings?.includes(binding.uid) ?? true);
  const rank = ([key, { kind }]: Found) => `${order.indexOf(kind)} ${key}`;
  return own.sort((a, b) => (rank(a) < rank(b) ? -1 : 1))[0];
}

const order: readonly ObjectProblem['kind'][] = ['setBack', 'refused', 'conflict', 'held'];

function objectCondition([key, { kind, message }]: Found, type: string): ConditionState {
  const reason = {
    conflict: APIServiceBindingReason.ClaimConflict,
    held: APIServiceBindingReason.OrphansHeld,
    refused: APIServiceBindingReason.ClaimRefused,
    // The memory over a restart, therefore first of all.
    setBack: APIServiceBindingReason.ControlPlaneSetBack,
  }[kind];
  return falseCondition(ConditionType.ClaimsSynced, 'Warning', reason, `${type} ${key}: ${message}`);
}

function unavailable(severity: ConditionSeverity, message: string): ConditionState {
  return falseCondition(ConditionType.ClaimsSynced, severity, APIServiceBindingReason.ClaimUnavailable, message);
}
