import {
  type ClusterBinding,
  ClusterBindings,
  type ConditionState,
  findCondition,
  isSameState,
  setCondition,
  setReady,
} from '@klutch/api';
import type { KubeClient } from '@klutch/kube';
import { patchStatus } from '../objects/patch-status.ts';

/** The conditions of a ClusterBinding with these in it and `Ready` summing up all; undefined when that changes nothing. */
export function changedConditions(
  { status }: Pick<ClusterBinding, 'status'>,
  states: readonly ConditionState[],
  now: Date,
): NonNullable<ClusterBinding['status']>['conditions'] {
  const before = status?.conditions ?? [];
  const after = setReady(
    states.reduce((conditions, state) => setCondition(conditions, state, now), before),
    now,
  );
  const isSame =
    before.length === after.length &&
    after.every((state) => {
      const old = findCondition(before, state.type);
      return old !== undefined && isSameState(old, state);
    });
  return isSame ? undefined : after;
}

/**
 * Writes conditions if they say anything new. Several parties write the same list, so it fails with `KUBE_CONFLICT` when
 * another did so since the binding was read.
 */
export async function writeConditions(
  client: KubeClient,
  binding: ClusterBinding,
  states: readonly ConditionState[],
  now: Date,
  signal: AbortSignal,
): Promise<void> {
  const conditions = changedConditions(binding, states, now);
  if (conditions) await patchStatus(client.resource(ClusterBindings), binding, { conditions }, signal);
}
