import type { Clock, EventRecorder, KubeClient, Logger, SharedInformers } from '@klutch/kube';
import type { Line } from '../epoch/line.ts';
import type { KonnectorMetrics } from '../process/metrics.ts';

/** A cluster as this process may use it. */
export interface Cluster {
  readonly client: KubeClient;
  /** One watch per selection, however many parts ask for it. */
  readonly informers: SharedInformers;
}

/** Whom this konnector is on a control plane. */
export interface Tenant {
  /** Namespace of the control plane that holds everything of this app cluster. */
  readonly clusterNamespace: string;
  /** UID of that Namespace. */
  readonly uid: string;
}

/** A connection between the app cluster and one control plane: what every part that works across it is given. */
export interface Link {
  /** `namespace/name` of the kubeconfig Secret; tells links apart in logs and metrics. */
  readonly name: string;
  readonly app: Cluster;
  readonly controlPlane: Cluster;
  readonly tenant: Tenant;
  /** Identity of the app cluster: the UID of its `kube-system` Namespace. */
  readonly appClusterId: string;
  /** The histories of the two clusters: each tells of its own objects whether they were deleted or lost. */
  readonly appLine: Line;
  readonly controlPlaneLine: Line;
  /** Whether every binding says that copies may go although nothing proves that their originals were deleted. */
  orphansMayGo(): boolean;
  /**
   * Tells when a cluster of this link answers again after it did not: whatever failed may be tried at once, see
   * `createLinkQueue`. Call the result to end it. Absent on links that are never watched for outages, as in tests.
   */
  onRecovered?(recovered: () => void): () => void;
  /** Writes Events in the app cluster. */
  readonly events: EventRecorder;
  readonly clock: Clock;
  readonly log: Logger;
  readonly metrics: KonnectorMetrics;
}

/** Something that runs until its signal aborts. */
export interface Running {
  /** Resolves when it has seen both sides and works; rejects when it ends before. */
  readonly ready: Promise<void>;
  /** Resolves when nothing of it is left. */
  readonly stopped: Promise<void>;
}
