import { annotations } from '@klutch/api';
import type { KubeObject } from '@klutch/kube';

/** What the annotations of an object on the control plane say about where it comes from. */
export interface Marks {
  /** A konnector, of whatever make, brought it here or took it over. */
  readonly bound: boolean;
  /** Cluster namespace of the tenant it belongs to. */
  readonly tenant?: string;
  /** Identity of the app cluster of its original. */
  readonly sourceCluster?: string;
  /** UID of its original. */
  readonly sourceUid?: string;
  /** The moment by which its original was there. */
  readonly stamp?: string;
  /** Digest of what was last applied. */
  readonly applied?: string;
}

/** Reads the marks of an object. Empty texts count as absent; for `bound` the key alone counts, as it does for Go. */
export function marksOf(object: KubeObject): Marks {
  const values = object.metadata.annotations ?? {};
  return {
    bound: values[annotations.bound] !== undefined,
    tenant: values[annotations.clusterNamespace] || undefined,
    sourceCluster: values[annotations.sourceCluster] || undefined,
    sourceUid: values[annotations.sourceUid] || undefined,
    stamp: values[annotations.stamp] || undefined,
    applied: values[annotations.applied] || undefined,
  };
}

/** In whose name this konnector acts on the control plane. */
export interface Claimant {
  /** Cluster namespace. */
  readonly tenant: string;
  readonly appClusterId: string;
  /** Another app cluster whose copies may be taken over. */
  readonly takeOverFrom?: string;
}

/** `own`: a namespace in which nobody else has objects of the API. `shared`: tenants lie side by side. */
export type Ground = 'own' | 'shared';

/**
 * How an object in the place of a copy stands to us. `ours`: made or taken over by this app cluster. `goMade`: bound, but
 * of no known origin, as the Go konnector leaves copies. `unbound`: no konnector has touched it. `takeOver`: of another
 * app cluster, which the operator told us to succeed. All others are somebody else's and never written.
 */
export type Standing = 'ours' | 'goMade' | 'unbound' | 'takeOver' | 'otherCluster' | 'otherTenant';

/** Pure: whose an object in the place of a copy is. */
export function standingOf(marks: Marks, claimant: Claimant, ground: Ground): Standing {
  // Where tenants lie side by side, an object is ours only if it says so; a name proves nothing.
  if (ground === 'shared' && marks.tenant !== claimant.tenant) return 'otherTenant';
  if (marks.tenant !== undefined && marks.tenant !== claimant.tenant) return 'otherTenant';
  if (marks.sourceCluster === undefined) return marks.bound ? 'goMade' : 'unbound';
  if (marks.sourceCluster === claimant.appClusterId) return 'ours';
  return marks.sourceCluster === claimant.takeOverFrom ? 'takeOver' : 'otherCluster';
}

/** Whether nothing may ever be written to such an object. */
export function isForeign(standing: Standing): boolean {
  return standing === 'otherCluster' || standing === 'otherTenant';
}
