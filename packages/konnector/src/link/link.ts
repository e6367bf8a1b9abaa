import type { Clock, EventRecorder, KubeClient, Logger, SharedInformers } from '@klutch/kube';
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
  /**
   * Why the absence of an object in the app cluster proves nothing at the moment, in a sentence; undefined when it does.
   * An app cluster that was restored from a backup lacks objects that nobody deleted.
   */
  setBack(): string | undefined;
  /**
   * Told when something of this app cluster was made that the control plane had when the work began, and whose original
   * is missing: it may betray that the app cluster was set back. Absent on links without a memory of that, as in tests.
   */
  foundOrphan?(created: string | undefined): void;
  /**
   * Like `setBack`, for the control plane: one that was restored from a backup lacks objects that nobody deleted. Absent on links
   * that are never watched for that, as in tests.
   */
  controlPlaneSetBack?(): string | undefined;
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
