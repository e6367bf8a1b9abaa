import { type Condition, type ConditionState, isSameState, setCondition } from '@klutch/api';

/** The conditions with the given ones in them, the others as they are; undefined when they say that already. */
export function nextConditions(
  current: readonly Condition[] | undefined,
  states: readonly ConditionState[],
  now: Date,
): readonly Condition[] | undefined {
  const isSaid = states.every((state) => current?.some((condition) => isSameState(condition, state)));
  if (isSaid) return undefined;
  return states.reduce<readonly Condition[]>((all, state) => setCondition(all, state, now), current ?? []);
}
