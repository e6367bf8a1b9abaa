import type { ControllerMetrics, LeaseMetrics, QueueMetrics } from '@klutch/kube';

/** What the konnector counts. Labels never hold names of objects. */
export interface KonnectorMetrics {
  /** For controllers and their queues. */
  readonly controller?: ControllerMetrics & QueueMetrics;
  readonly lease?: LeaseMetrics;
  /** A write was sent to a cluster: `app` or `control-plane`, by what part, of which verb. */
  wrote(side: Side, part: string, verb: string): void;
  /** Seconds between a change on one side and the write that carried it to the other. */
  carried(direction: 'up' | 'down', seconds: number): void;
  /** A link can or cannot reach its control plane. */
  linkUp(link: string, up: boolean): void;
  /** A link has ended; nothing is to be shown of it any more. */
  linkGone(link: string): void;
  /** Objects whose deletion is held back; undefined: nobody looks after the API any more. */
  heldDeletions(link: string, api: string, count: number | undefined): void;
}

export type Side = 'app' | 'control-plane';

/** Counts nothing. */
export const noMetrics: KonnectorMetrics = {
  wrote: () => {},
  carried: () => {},
  linkUp: () => {},
  linkGone: () => {},
  heldDeletions: () => {},
};
