import type { Condition } from '../kinds/condition.ts';
import { ConditionType } from './condition-types.ts';
import { byImportance, type ConditionState, setCondition, trueCondition } from './set-condition.ts';

/** The list with `Ready` summing up the others; unchanged when there are no others. */
export function setReady(conditions: readonly Condition[] | undefined, now: Date): readonly Condition[] {
  const summary = readySummary(conditions);
  return summary === undefined ? (conditions ?? []) : setCondition(conditions, summary, now);
}

/**
 * What `Ready` has to say given the other conditions; undefined when there are none. The worst group of conditions
 * decides, by its alphabetically first member. `Unknown` ranks below `True`, so it never hides that all else is well.
 */
export function readySummary(conditions: readonly Condition[] | undefined): ConditionState | undefined {
  const others = (conditions ?? []).filter((condition) => condition.type !== ConditionType.Ready);
  const decisive = others.sort((a, b) => rank(a) - rank(b) || byImportance(a, b))[0];
  if (decisive === undefined) return undefined;
  if (decisive.status === 'True') return trueCondition(ConditionType.Ready);
  const { severity, reason, message } = decisive;
  if (rank(decisive) < trueRank) return { type: ConditionType.Ready, status: 'False', severity, reason, message };
  return { type: ConditionType.Ready, status: 'Unknown', reason, message };
}

const trueRank = 3;

/** Lower decides first. A `False` without severity says nothing that could be ranked, and comes last. */
function rank(condition: Condition): number {
  if (condition.status === 'True') return trueRank;
  if (condition.status === 'Unknown') return 4;
  if (condition.status === 'False' && condition.severity)
    return { Error: 0, Warning: 1, Info: 2 }[condition.severity] ?? 5;
  return 5;
}
