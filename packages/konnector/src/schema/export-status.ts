import { isDeepStrictEqual } from 'node:util';
import {
  type APIServiceExport,
  APIServiceExportReason as Reason,
  type Condition,
  type ConditionState,
  ConditionType,
  type CustomResourceDefinition,
  falseCondition,
  findCondition,
  isSameState,
  setCondition,
  setReady,
  trueCondition,
} from '@klutch/api';
import type { SchemaConditions } from './conditions.ts';

/** What the app cluster has of an export. */
export interface Consumer {
  /** What the binding says of its CRD. */
  readonly conditions: SchemaConditions;
  /** The CRD, if it is the binding's. */
  readonly crd: CustomResourceDefinition | undefined;
}

/**
 * The merge patch for `status` that makes an export show the state of its API in the app cluster; undefined when it does
 * already. Without a consumer no binding uses the export. Conditions of the backend stay.
 */
export function exportStatusPatch(
  { status = {} }: APIServiceExport,
  consumer: Consumer | undefined,
  now: Date,
): APIServiceExport['status'] | undefined {
  const before = status.conditions ?? [];
  let conditions: readonly Condition[] = before;
  for (const state of statesOf(consumer)) conditions = setCondition(conditions, state, now);
  // Once it was summed up, it has to stay true, also when the app cluster has let go of the export.
  if (consumer?.crd || findCondition(before, ConditionType.Ready)) conditions = setReady(conditions, now);
  const { acceptedNames, storedVersions } = consumer?.crd?.status ?? {};
  const patch = {
    ...(saysTheSame(before, conditions) ? {} : { conditions }),
    ...(acceptedNames === undefined || isDeepStrictEqual(acceptedNames, status.acceptedNames)
      ? {}
      : { acceptedNames: { ...absentAsNull(status.acceptedNames), ...acceptedNames } }),
    ...(storedVersions === undefined || isDeepStrictEqual(storedVersions, status.storedVersions)
      ? {}
      : { storedVersions }),
  };
  return Object.keys(patch).length > 0 ? patch : undefined;
}

function statesOf(consumer: Consumer | undefined): readonly ConditionState[] {
  if (consumer === undefined) {
    return [
      falseCondition(ConditionType.Connected, 'Info', Reason.APIServiceBindingNotFound, 'No binding uses this export.'),
      falseCondition(ConditionType.ConsumerInSync, 'Info', Reason.NA, 'No binding uses this export.'),
    ];
  }
  const copied = (consumer.crd?.status?.conditions ?? []).filter(({ type }) => type !== ConditionType.Ready);
  return [
    ...copied.map(({ type, status, reason, message }): ConditionState => {
      return { type, status, reason, message, ...(status === 'True' ? {} : { severity: 'Error' }) };
    }),
    trueCondition(ConditionType.Connected),
    consumerInSync(consumer.conditions),
  ];
}

/** What the binding says, in words of the export: why there is no CRD, or how its schema is. */
function consumerInSync({ Connected, SchemaInSync }: SchemaConditions): ConditionState {
  const decisive = Connected.status === 'True' ? SchemaInSync : Connected;
  if (decisive) return { ...decisive, type: ConditionType.ConsumerInSync };
  return falseCondition(ConditionType.ConsumerInSync, 'Info', Reason.Unknown, 'The app cluster has not said yet.');
}

function saysTheSame(a: readonly Condition[], b: readonly Condition[]): boolean {
  if (a.length !== b.length) return false;
  return a.every((one) => b.some((other) => isSameState(one, other)));
}

/** In a merge patch, fields that have to go must be named. */
function absentAsNull(names: object | undefined): object {
  return Object.fromEntries(Object.keys(names ?? {}).map((key) => [key, null]));
}
