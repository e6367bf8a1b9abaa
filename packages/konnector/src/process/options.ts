import type { ClusterConfig, LeaseTimings } from '@klutch/kube';
import type { SecretKey } from '../bindings/kubeconfig-of.ts';
import type { MetadataRules } from '../instances/metadata-rules.ts';
import type { ProbeTimings } from '../link/run-connection.ts';

/**
 * Where the konnector runs. `default`: in, or for, the app cluster that `local` leads to; bindings and their Secrets
 * are there. `control-plane`: next to the backend on the cluster that `local` leads to; bindings are in the root
 * namespace there, and a Secret says how to reach the app cluster.
 */
export type Mode =
  | { readonly kind: 'default' }
  | {
      readonly kind: 'control-plane';
      readonly appClusterKubeconfig: SecretKey;
      readonly bindingRootNamespace: string;
    };

/** Everything a konnector has to know before it starts. */
export interface KonnectorOptions {
  readonly mode: Mode;
  /** The cluster the konnector belongs to. */
  readonly local: ClusterConfig;
  readonly lease: {
    readonly name: string;
    readonly namespace: string;
    /** Tells replicas apart. */
    readonly identity: string;
    readonly timings?: LeaseTimings;
  };
  /** Where health and metrics are served; undefined: nowhere. Port 0 lets the system choose. */
  readonly health?: { readonly host?: string; readonly port: number };
  /** Version that is reported to control planes, such as `1.2.0`. */
  readonly version: string;
  /** Only bindings of this namespace count. Default: those of all namespaces; ignored for cluster-scoped bindings. */
  readonly bindingNamespace?: string;
  /** Which labels and annotations travel to the control plane. Default: all but those of Kubernetes and Klutch. */
  readonly metadata?: MetadataRules;
  /** Longest time between two heartbeats, as promised to control planes. Default 5 minutes. */
  readonly heartbeatMs?: number;
  /** How often connections are checked. */
  readonly probe?: ProbeTimings;
}
