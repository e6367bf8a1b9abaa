import { type APIServiceBinding, annotations } from '@klutch/api';
import type { Clock } from '@klutch/kube';
import { runStatusLine, type StatusLine } from '../epoch/status-line.ts';
import {
  type ClusterBindingStatus,
  createClusterBindingStatus,
  theClusterBinding,
} from '../heartbeat/cluster-binding-status.ts';
import type { Cluster, Tenant } from '../link/link.ts';
import { type FarSession, relisted } from '../link/run-links.ts';
import type { KonnectorMetrics } from './metrics.ts';

export interface HistoryOptions {
  readonly controlPlane: Cluster;
  readonly tenant: Tenant;
  readonly session: Pick<FarSession, 'onRecovered' | 'log' | 'signal'>;
  readonly metrics: KonnectorMetrics;
  readonly clock: Clock;
}

/** The history of a control plane, and what a link needs to go on with it. */
export interface History {
  readonly line: StatusLine;
  readonly status: ClusterBindingStatus;
  /** To count writes with: those on the control plane make the mark go on. */
  readonly metrics: KonnectorMetrics;
}

export function markHistory({ controlPlane, tenant, session, metrics, clock }: HistoryOptions): History {
  const { signal, log, onRecovered } = session;
  const status = createClusterBindingStatus(controlPlane.client, tenant.clusterNamespace, () =>
    metrics.wrote('control-plane', 'heartbeat', 'patch'),
  );
  const watched = controlPlane.informers.acquire(theClusterBinding(tenant.clusterNamespace));
  const line = runStatusLine({
    status,
    relist: () => relisted(controlPlane, clock, signal),
    returns: [onRecovered, watched.informer.onOpen],
    clock,
    log,
    signal,
  });
  void line.stopped.finally(watched.release);
  const wrote: KonnectorMetrics['wrote'] = (side, ...what) => {
    if (side === 'control-plane') line.touch();
    metrics.wrote(side, ...what);
  };
  return { line, status, metrics: { ...metrics, wrote } };
}

/** Whether every binding says that copies may go although nothing proves that their originals were deleted. */
export function orphansMayGo(bindings: readonly APIServiceBinding[]): boolean {
  return (
    bindings.length > 0 && bindings.every(({ metadata }) => metadata.annotations?.[annotations.orphans] === 'Delete')
  );
}
