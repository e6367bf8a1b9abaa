import type { OwnRights } from '../grants/own-rights.ts';
import type { Clock, ControllerMetrics, KubeClient, Logger, QueueMetrics, SharedInformers } from '@klutch/kube';

/** What every controller of the backend works with. */
export interface ControllerDeps {
  /** Of the control plane. */
  readonly client: KubeClient;
  /** Of the control plane. */
  readonly informers: SharedInformers;
  /** Of the backend itself, through a client that writes only while the process leads. */
  readonly rights: OwnRights;
  readonly clock: Clock;
  readonly log: Logger;
  readonly metrics?: ControllerMetrics & QueueMetrics;
  /** Ends the controller. */
  readonly signal: AbortSignal;
}
