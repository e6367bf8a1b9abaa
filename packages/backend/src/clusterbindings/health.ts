import {
  type ClusterBinding,
  ClusterBindingReason,
  type ConditionState,
  ConditionType,
  falseCondition,
  trueCondition,
} from '@klutch/api';
import { goDurationMs } from './go-duration.ts';

export interface Health {
  readonly condition: ConditionState;
  /** Milliseconds until time alone changes the verdict; undefined when it takes a heartbeat. */
  readonly nextMs?: number;
}

/** A heartbeat that is further in the future than this comes from a clock that is wrong. */
const driftMs = 60_000;

/** A moment after which a limit has surely passed. */
const marginMs = 1_000;

/** Whether the konnector keeps its promise to report. */
export function judgeHealth(status: ClusterBinding['status'], now: Date): Health {
  const last = Date.parse(status?.lastHeartbeatTime ?? '');
  if (Number.isNaN(last)) return { condition: unhealthy('Info', 'FirstHeartbeatPending', neverHeard) };
  const intervalMs = goDurationMs(status?.heartbeatInterval);
  if (intervalMs === undefined) return { condition: unhealthy('Info', 'HeartbeatIntervalMissing', noInterval) };
  const ageMs = now.getTime() - last;
  if (ageMs < -driftMs) {
    return { condition: unhealthy('Warning', 'HeartbeatTimeDrift', drift), nextMs: -ageMs - driftMs + marginMs };
  }
  if (ageMs > 2 * intervalMs) return { condition: unhealthy('Error', 'HeartbeatTimeout', silent) };
  return { condition: trueCondition(ConditionType.Healthy), nextMs: 2 * intervalMs - ageMs + marginMs };
}

function unhealthy(
  severity: 'Error' | 'Warning' | 'Info',
  reason: keyof typeof ClusterBindingReason,
  message: string,
): ConditionState {
  return falseCondition(ConditionType.Healthy, severity, ClusterBindingReason[reason], message);
}

const neverHeard = 'The konnector has not reported yet. Deploy it in the app cluster.';
const noInterval = 'The konnector does not say how often it reports.';
const drift = 'The konnector reports from the future. Correct the clock of the app cluster or of the control plane.';
const silent =
  'The konnector has not reported for twice as long as promised. Check that it runs and reaches the control plane.';
