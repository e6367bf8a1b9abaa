import type { Condition, ConditionSeverity } from '../kinds/condition.ts';

/** A condition before the time at which its state began is known. */
export type ConditionState = Omit<Condition, 'lastTransitionTime'>;

/**
 * The list with the condition in it, sorted as every writer of Klutch sorts it. `lastTransitionTime` stays as it was
 * while type, status, reason, severity and message stay, and becomes `now` in whole seconds otherwise.
 */
export function setCondition(
  conditions: readonly Condition[] | undefined,
  state: ConditionState,
  now: Date,
): readonly Condition[] {
  const before = findCondition(conditions, state.type);
  const lastTransitionTime = before && isSameState(before, state) ? before.lastTransitionTime : inSeconds(now);
  const others = (conditions ?? []).filter((condition) => condition.type !== state.type);
  return [...others, stored(state, lastTransitionTime)].sort(byImportance);
}

/** State of a condition that holds. */
export function trueCondition(type: string): ConditionState {
  return { type, status: 'True' };
}

/** State of a condition that does not hold. */
export function falseCondition(
  type: string,
  severity: ConditionSeverity,
  reason: string,
  message: string,
): ConditionState {
  return { type, status: 'False', severity, reason, message };
}

/** State of a condition of which nothing is known. */
export function unknownCondition(type: string, reason: string, message: string): ConditionState {
  return { type, status: 'Unknown', reason, message };
}

export function findCondition(conditions: readonly Condition[] | undefined, type: string): Condition | undefined {
  return conditions?.find((condition) => condition.type === type);
}

/** Whether the condition is present and holds. */
export function isConditionTrue(conditions: readonly Condition[] | undefined, type: string): boolean {
  return findCondition(conditions, type)?.status === 'True';
}

/** Whether two conditions say the same, whenever they began to. */
export function isSameState(a: ConditionState, b: ConditionState): boolean {
  return (
    a.type === b.type &&
    a.status === b.status &&
    text(a.reason) === text(b.reason) &&
    text(a.severity) === text(b.severity) &&
    text(a.message) === text(b.message)
  );
}

/** `Ready` first, then by type, compared as Go compares strings. */
export function byImportance(a: ConditionState, b: ConditionState): number {
  if (a.type === b.type) return 0;
  if (a.type === 'Ready') return -1;
  if (b.type === 'Ready') return 1;
  return a.type < b.type ? -1 : 1;
}

/** Only the fields of a condition, and none that are empty: that is how Go writes them. */
function stored(state: ConditionState, lastTransitionTime: string): Condition {
  const { type, status, severity, reason, message } = state;
  return {
    type,
    status,
    ...(severity ? { severity } : {}),
    lastTransitionTime,
    ...(reason ? { reason } : {}),
    ...(message ? { message } : {}),
  };
}

/** Go does not tell an absent text from an empty one. */
function text(value: string | undefined): string {
  return value ?? '';
}

function inSeconds(time: Date): string {
  return time.toISOString().replace(/\.\d+Z$/, 'Z');
}
