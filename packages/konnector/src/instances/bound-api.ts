import type { ResourceType } from '@klutch/kube';
import type { BindingRef } from '../bindings/binding-board.ts';

/**
 * How objects find their place on the control plane. `ServiceNamespace`: a namespaced kind, in the namespace mapped to
 * theirs. The others are for cluster-scoped kinds: name with prefix, in the cluster namespace, or unchanged.
 */
export type Isolation = 'ServiceNamespace' | 'Prefixed' | 'Namespaced' | 'None';

/** An API that is bound and whose CRD is in place: everything that synchronising its objects needs to know. */
export interface BoundApi {
  readonly binding: BindingRef;
  /** `<plural>.<group>`. */
  readonly name: string;
  /** As served in the app cluster, in a version that both sides serve. */
  readonly appType: ResourceType;
  /** As served on the control plane; with isolation `Namespaced` it is namespaced although `appType` is not. */
  readonly controlPlaneType: ResourceType;
  readonly isolation: Isolation;
  /** `Namespaced`: the control plane may be watched only namespace by namespace. */
  readonly informerScope: 'Namespaced' | 'Cluster';
  /** UID of the CRD in the app cluster. */
  readonly crdUid?: string;
  /** Whether `status` is a subresource in the app cluster. */
  readonly statusSubresource: boolean;
  /** Whether the schema keeps entries with `type`, `status`, `reason`, `message` and `lastTransitionTime` in `status.conditions`. */
  readonly statusConditions: boolean;
  /** What the operator of the app cluster decided about copies whose original has vanished without a trace. */
  readonly orphans: OrphanPolicy;
  /** Another app cluster whose objects this one may take over, as the binding's annotation says. */
  readonly takeOverFrom?: string;
  /** Why the provider no longer offers the API to this tenant, as a sentence. Nothing is written while it is set. */
  readonly withdrawn?: string;
  /**
   * Changes some time after the CRD in the app cluster did: a watch that was open by then goes on to show objects as the
   * old schema had them, without new fields, so the objects have to be read anew.
   */
  readonly schema?: string;
}

/** `Hold` unless the binding's annotation says otherwise. */
export type OrphanPolicy = 'Hold' | 'Delete' | 'Restore';
