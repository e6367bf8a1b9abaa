import type { Clock, ControllerMetrics, KubeClient, Logger, QueueMetrics, SharedInformers } from '@klutch/kube';

/** What every controller of the backend works with. */
export interface ControllerDeps {
  /** Of the control plane. */
  readonly client: KubeClient;
  /** Of the control plane. */
  readonly informers: SharedInformers;
  readonly clock: Clock;
  readonly log: Logger;
  readonly metrics?: ControllerMetrics & QueueMetrics;
  /** Ends the controller. */
  readonly signal: AbortSignal;
}
