/** An app cluster as a client presents it. */
export interface PresentedCluster {
  /** What the CLI derives from the UID of its namespace `klutch-bind`; chosen by the client, hence never trusted alone. */
  readonly id: string;
  /** UID of the `kube-system` Namespace; the Go CLI does not tell it. */
  readonly uid?: string;
}

/** What a bind yields. */
export interface Provisioned {
  /** Cluster namespace. */
  readonly namespace: string;
  /** Kubeconfig with a fresh credential. A secret. */
  readonly kubeconfig: string;
}
