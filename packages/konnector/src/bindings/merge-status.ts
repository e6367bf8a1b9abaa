import {
  type APIServiceBinding,
  APIServiceBindingReason,
  type Condition,
  type ConditionState,
  ConditionType,
  falseCondition,
  findCondition,
  isSameState,
  readySummary,
  setCondition,
  setReady,
} from '@klutch/api';

/** What the parts have said about one binding. */
export interface Reports {
  /** By type; null where a part took its condition back. */
  readonly conditions: ReadonlyMap<string, ConditionState | null>;
  /** Display name of the provider; null when it has none, undefined when nobody said. */
  readonly prettyName?: string | null;
}

type Status = NonNullable<APIServiceBinding['status']>;

/**
 * The merge patch for `status` that brings a binding to what was reported, keeping conditions nobody here reports;
 * undefined when it says all that already. `Ready` sums up the result.
 */
export function statusPatch(status: Status | undefined, reports: Reports, now: Date): object | undefined {
  const before = status?.conditions ?? [];
  let conditions: readonly Condition[] = before;
  for (const [type, state] of reports.conditions) {
    conditions = state ? setCondition(conditions, state, now) : conditions.filter((other) => other.type !== type);
  }
  conditions = ready(conditions, now);
  const patch = {
    ...(sameConditions(before, conditions) ? {} : { conditions }),
    ...prettyNamePatch(status?.providerPrettyName, reports.prettyName),
  };
  return Object.keys(patch).length > 0 ? patch : undefined;
}

/** Without these, nobody knows yet whether a binding works; what has been said so far may all be well. */
const essential: readonly string[] = [
  ConditionType.SecretValid,
  ConditionType.InformersSynced,
  ConditionType.Heartbeating,
  ConditionType.Connected,
];

/** Sums up, but does not call a binding ready before everything that matters has been looked at. */
function ready(conditions: readonly Condition[], now: Date): readonly Condition[] {
  const summed = setReady(conditions, now);
  const isComplete = essential.every((type) => findCondition(conditions, type));
  if (isComplete || readySummary(conditions)?.status !== 'True') return summed;
  const message = 'The konnector has not processed everything yet.';
  const pending = falseCondition(ConditionType.Ready, 'Info', APIServiceBindingReason.Pending, message);
  return setCondition(conditions, pending, now);
}

function prettyNamePatch(before: string | undefined, wanted: string | null | undefined): object {
  if (wanted === undefined || (before || null) === (wanted || null)) return {};
  return { providerPrettyName: wanted || null };
}

function sameConditions(a: readonly Condition[], b: readonly Condition[]): boolean {
  if (a.length !== b.length) return false;
  return a.every((one) => {
    const other = b.find(({ type }) => type === one.type);
    return other !== undefined && isSameState(one, other);
  });
}
