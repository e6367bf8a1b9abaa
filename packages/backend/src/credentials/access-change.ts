import {
  type ClusterBinding,
  ClusterBindingReason,
  type ConditionState,
  ConditionType,
  findCondition,
} from '@klutch/api';

/** Whether access was revoked or given back since the conditions of a ClusterBinding were written. */
export function accessChange(
  { status }: Pick<ClusterBinding, 'status'>,
  now: ConditionState,
): 'Revoke' | 'Restore' | undefined {
  const before = findCondition(status?.conditions, ConditionType.CredentialValid);
  const wasRevoked = before?.reason === ClusterBindingReason.AccessRevoked;
  const isRevoked = now.reason === ClusterBindingReason.AccessRevoked;
  if (wasRevoked === isRevoked) return undefined;
  return isRevoked ? 'Revoke' : 'Restore';
}
