import type { ApiObject } from '../../objects/api-object.ts';
import type { PrinterColumn } from '../../registry/served-resource.ts';
import { ageSince } from '../../table/duration.ts';
import { ageColumn, column, nameColumn, wideColumn } from '../columns.ts';
import type { PodSpec } from './pod-types.ts';

interface Pod extends ApiObject {
  spec?: PodSpec;
  status?: {
    phase?: string;
    reason?: string;
    podIPs?: { ip?: string }[];
    nominatedNodeName?: string;
    conditions?: { type?: string; status?: string; reason?: string }[];
    containerStatuses?: ContainerStatus[];
  };
}

interface ContainerStatus {
  ready?: boolean;
  restartCount?: number;
  state?: {
    waiting?: { reason?: string };
    running?: object;
    terminated?: { reason?: string; signal?: number; exitCode?: number };
  };
  lastState?: { terminated?: { finishedAt?: string | null } };
}

/** What `kubectl get pods` shows. The state of init containers, which nobody here runs, is left out. */
export const podColumns: readonly PrinterColumn[] = [
  nameColumn,
  column('Ready', 'How many containers are ready.', ready),
  column('Status', 'What the pod does, or why it does nothing.', statusText),
  column('Restarts', 'How often containers were restarted, and when last.', restarts),
  ageColumn,
  wideColumn('IP', 'Address of the pod.', ({ status }: Pod) => status?.podIPs?.[0]?.ip || '<none>'),
  wideColumn('Node', 'Node the pod is on.', ({ spec }: Pod) => spec?.nodeName || '<none>'),
  wideColumn('Nominated Node', 'Node the pod may get.', ({ status }: Pod) => status?.nominatedNodeName || '<none>'),
  wideColumn('Readiness Gates', 'How many of the further conditions hold.', readinessGates),
];

function ready({ spec, status }: Pod): string {
  const running = (status?.containerStatuses ?? []).filter((one) => one.ready && one.state?.running);
  const sidecars = (spec?.initContainers ?? []).filter(({ restartPolicy }) => restartPolicy === 'Always');
  return `${running.length}/${(spec?.containers ?? []).length + sidecars.length}`;
}

function statusText({ metadata, status = {} }: Pod): string {
  const { phase = '', reason, conditions = [], containerStatuses = [] } = status;
  const isOver = phase === 'Succeeded' || phase === 'Failed';
  if (metadata.deletionTimestamp !== undefined && reason === 'NodeLost') return 'Unknown';
  if (metadata.deletionTimestamp !== undefined && !isOver) return 'Terminating';
  const isGated = conditions.some((one) => one.type === 'PodScheduled' && one.reason === 'SchedulingGated');
  const start = isGated ? 'SchedulingGated' : reason || phase;
  const said = containerStatuses.map(containerReason).find((one) => one !== undefined) ?? start;
  if (said !== 'Completed') return said;
  const isRunning = containerStatuses.some((one) => one.ready && one.state?.running);
  const isReady = conditions.some((one) => one.type === 'Ready' && one.status === 'True');
  if (isRunning) return isReady ? 'Running' : 'NotReady';
  return (
    containerStatuses
      .filter(({ state }) => state?.terminated?.exitCode)
      .map(containerReason)
      .at(0) ?? said
  );
}

function containerReason({ state }: ContainerStatus): string | undefined {
  if (state?.waiting?.reason) return state.waiting.reason;
  if (!state?.terminated) return undefined;
  const { reason, signal, exitCode = 0 } = state.terminated;
  return reason || (signal ? `Signal:${signal}` : `ExitCode:${exitCode}`);
}

function restarts({ status }: Pod, now: Date): string {
  const all = status?.containerStatuses ?? [];
  const count = all.reduce((sum, { restartCount = 0 }) => sum + restartCount, 0);
  const last = all
    .flatMap(({ lastState }) => lastState?.terminated?.finishedAt ?? [])
    .sort()
    .at(-1);
  return count > 0 && last !== undefined ? `${count} (${ageSince(last, now)} ago)` : `${count}`;
}

function readinessGates({ spec, status }: Pod): string {
  const gates = spec?.readinessGates ?? [];
  if (gates.length === 0) return '<none>';
  const open = gates.filter(({ conditionType }) =>
    status?.conditions?.some(({ type, status: state }) => type === conditionType && state === 'True'),
  );
  return `${open.length}/${gates.length}`;
}
