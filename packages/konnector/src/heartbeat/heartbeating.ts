import {
  APIServiceBindingReason,
  type ConditionState,
  ConditionType,
  falseCondition,
  trueCondition,
} from '@klutch/api';
import type { LinkHealth } from '../link/connection-state.ts';

/** How the last heartbeat went. */
export type Beat =
  | { readonly is: 'arrived' }
  | { readonly is: 'failed'; readonly problem: string }
  /** The control plane has no ClusterBinding. */
  | { readonly is: 'nobody-there'; readonly problem: string };

/** What a binding says about the connection to its control plane; undefined while nothing is known. */
export function heartbeating(health: LinkHealth, beat: Beat | undefined): ConditionState | undefined {
  switch (health.state) {
    case 'unknown':
      return undefined;
    case 'no-kubeconfig':
      return not(
        APIServiceBindingReason.ControlPlaneUnreachable,
        'There is no usable kubeconfig that leads to the control plane; see SecretValid.',
      );
    case 'down':
      return not(reasons[health.cause], `${health.problem} The konnector keeps trying.`);
    case 'up':
      return ofBeat(beat);
  }
}

function ofBeat(beat: Beat | undefined): ConditionState | undefined {
  if (!beat) return undefined;
  if (beat.is === 'arrived') return trueCondition(ConditionType.Heartbeating);
  const { ClusterBindingNotFound, ClusterBindingUpdateFailed } = APIServiceBindingReason;
  return not(beat.is === 'failed' ? ClusterBindingUpdateFailed : ClusterBindingNotFound, beat.problem);
}

const reasons = {
  unreachable: APIServiceBindingReason.ControlPlaneUnreachable,
  rejected: APIServiceBindingReason.CredentialsRejected,
  missing: APIServiceBindingReason.ClusterBindingNotFound,
} as const;

function not(reason: string, message: string): ConditionState {
  return falseCondition(ConditionType.Heartbeating, 'Warning', reason, message);
}
