import { ConditionType } from '@klutch/api';
import type { UnknownObject } from '@klutch/kube';
import { canonical, isRecord } from './canonical.ts';

/** What keeps an object from travelling as it should, as its owner is told. */
export interface Problem {
  readonly reason: string;
  readonly message: string;
}

/** Pure: the status an original should show: that of its copy, and our one condition while there is a problem. */
export function wantedStatus(base: unknown, current: unknown, problem: Problem | undefined, now: Date): unknown {
  if (problem === undefined) return base;
  if (base !== undefined && base !== null && !isRecord(base)) return base;
  const status = isRecord(base) ? base : {};
  const { conditions } = status;
  if (conditions !== undefined && conditions !== null && !Array.isArray(conditions)) return base;
  const others = (conditions ?? []).filter((condition: unknown) => !isOurs(condition));
  return { ...status, conditions: [...others, conditionOf(problem, ownCondition(current), now)] };
}

/** Pure: a status without our condition. */
export function withoutOwnCondition(status: unknown): unknown {
  if (!isRecord(status) || !Array.isArray(status['conditions'])) return status;
  const others = status['conditions'].filter((condition) => !isOurs(condition));
  if (others.length === status['conditions'].length) return status;
  const { conditions: _, ...rest } = status;
  if (others.length > 0) return { ...rest, conditions: others };
  return Object.keys(rest).length > 0 ? rest : undefined;
}

/** Pure: the merge patch that turns the status of an object into another; undefined when there is nothing to do. */
export function statusPatch(object: UnknownObject, wanted: unknown): object | undefined {
  const { status } = object;
  if (isSameStatus(status, wanted)) return undefined;
  return { metadata: { uid: object.metadata.uid }, status: mergePatch(status, wanted ?? null) };
}

/** Whether two statuses mean the same; an empty one is as good as none. */
export function isSameStatus(a: unknown, b: unknown): boolean {
  return canonical(a ?? {}) === canonical(b ?? {});
}

/** A JSON merge patch (RFC 7386) between two values. */
function mergePatch(from: unknown, to: unknown): unknown {
  if (!isRecord(from) || !isRecord(to)) return to;
  const removed = Object.keys(from).filter((key) => valueIn(to, key) === undefined);
  const changed = Object.keys(to).filter(
    (key) => valueIn(to, key) !== undefined && canonical(valueIn(from, key)) !== canonical(to[key]),
  );
  return Object.fromEntries([
    ...removed.map((key) => [key, null]),
    ...changed.map((key) => [key, mergePatch(valueIn(from, key), to[key])]),
  ]);
}

/** The value of a field, if it has one; what every object inherits is none. */
function valueIn(record: Readonly<Record<string, unknown>>, key: string): unknown {
  return Object.hasOwn(record, key) ? (record[key] ?? undefined) : undefined;
}

function conditionOf({ reason, message }: Problem, before: Readonly<Record<string, unknown>> | undefined, now: Date) {
  const isSame = before?.['reason'] === reason && before['message'] === message && before['status'] === 'False';
  const time = `${now.toISOString().slice(0, 19)}Z`;
  const lastTransitionTime = isSame ? before['lastTransitionTime'] : time;
  return { type: ConditionType.KlutchSynced, status: 'False', reason, message, lastTransitionTime };
}

function ownCondition(status: unknown): Readonly<Record<string, unknown>> | undefined {
  if (!isRecord(status) || !Array.isArray(status['conditions'])) return undefined;
  return status['conditions'].find(isOurs);
}

function isOurs(condition: unknown): condition is Readonly<Record<string, unknown>> {
  return isRecord(condition) && condition['type'] === ConditionType.KlutchSynced;
}
