import type { APIServiceBinding } from '@klutch/api';
import type { Clock, Logger, ResourceType } from '@klutch/kube';
import type { BindingBoard } from '../bindings/binding-board.ts';
import type { Kubeconfig } from '../bindings/kubeconfig-of.ts';
import type { Line } from '../epoch/line.ts';
import type { Cluster, Running } from '../link/link.ts';
import type { Parts } from '../link/parts.ts';
import type { KonnectorMetrics } from './metrics.ts';
import type { KonnectorOptions } from './options.ts';

/** The near end of all links: the cluster the konnector belongs to, and what it works with there. */
export interface Near {
  readonly options: KonnectorOptions;
  readonly local: Cluster;
  readonly bindingType: ResourceType<APIServiceBinding>;
  /** Namespace of the bindings; undefined: all of them, or none because they are cluster-scoped. */
  readonly bindingNamespace: string | undefined;
  readonly board: BindingBoard;
  readonly parts: ProcessParts;
  /** The history of the cluster with the lease. */
  readonly line: Line;
  /** Whether the control plane of a kubeconfig answers and does not accept it. */
  readonly isRejected: (kubeconfig: Kubeconfig, signal: AbortSignal) => Promise<boolean>;
  readonly metrics: KonnectorMetrics;
  readonly clock: Clock;
  readonly log: Logger;
  readonly signal: AbortSignal;
}

/** The parts of links, and the one that cleans up after bindings. */
export interface ProcessParts extends Parts {
  runUnbind(options: UnbindOptions): Running;
}

export interface UnbindOptions {
  /** The cluster with the bindings. */
  readonly bindings: Cluster;
  readonly bindingType: ResourceType<APIServiceBinding>;
  /** Namespace of the bindings; undefined: all. */
  readonly bindingNamespace: string | undefined;
  readonly board: BindingBoard;
  readonly app: Cluster;
  readonly clock: Clock;
  readonly log: Logger;
  readonly metrics: KonnectorMetrics;
  readonly unitsEnded: (binding: string) => Promise<void>;
  readonly signal: AbortSignal;
}
