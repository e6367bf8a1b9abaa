/** Annotations on objects that cross clusters or belong to the bookkeeping of the backend. */
export const annotations = {
  /**
   * `"true"` on both copies of a synchronised object. On the control plane its absence means "adopt this object"; its
   * presence without a counterpart in the app cluster means "delete this object".
   */
  bound: 'klutch.anynines.com/bound',
  /** Owning side of a claimed object, `Provider` or `Consumer`, on both copies. */
  resourceOwner: 'klutch.anynines.com/resource-owner',
  /** Cluster namespace of the app cluster a cluster-scoped object of the control plane belongs to. */
  clusterNamespace: 'klutch.anynines.com/cluster-namespace',
  /** Digest of the API an APIServiceExport was made from. */
  sourceSpecHash: 'klutch.anynines.com/source-spec-hash',
  /** On a service namespace: `<cluster namespace>/<name>` of its APIServiceNamespace. */
  apiServiceNamespace: 'klutch.anynines.com/api-service-namespace',
  /** On a cluster namespace: whom and which app cluster it belongs to. */
  identity: 'example-backend.klutch.anynines.com/identity',
  /**
   * On every copy, and on an APIServiceNamespace: identity of the app cluster it comes from, the UID of that cluster's
   * `kube-system` Namespace. Unknown to the Go konnector.
   */
  sourceCluster: 'klutch.anynines.com/source-cluster',
  /** On every copy, and on an APIServiceNamespace: UID of the original. Unknown to the Go konnector. */
  sourceUid: 'klutch.anynines.com/source-uid',
  /** On every copy: digest of what the konnector last wrote, by which it finds fields that have to go. */
  applied: 'klutch.anynines.com/applied',
  /** On a binding: what to do with copies whose originals have vanished without a trace: `Hold`, `Delete` or `Restore`. */
  orphans: 'klutch.anynines.com/orphans',
  /** On a binding: identity of another app cluster whose objects on the control plane this one may take over. */
  takeOverFrom: 'klutch.anynines.com/take-over-from',
  /** On a binding: digest of a breaking schema change that may be carried out, as the condition names it. */
  acceptSchema: 'klutch.anynines.com/accept-schema',
  /** On a binding, and on the CRD made for it: what happens when the binding goes: `Keep`, `Remove` or `Delete`. */
  onUnbind: 'klutch.anynines.com/on-unbind',
  /** On a CRD that a binding left behind: the tenant it was bound to, as `<cluster namespace>/<UID of it>`. */
  released: 'klutch.anynines.com/released',
  /** On a CRD made for a binding: the tenant it is bound to, as `<cluster namespace>/<UID of it>`. */
  tenant: 'klutch.anynines.com/tenant',
  /**
   * On a CRD made for a binding: where that lives, since an owner reference does not tell, as `<UID>/<namespace>`. The UID
   * is that of the `kube-system` Namespace for a binding in the app cluster, that of the cluster namespace for one on the
   * control plane.
   */
  boundIn: 'klutch.anynines.com/bound-in',
  /** On a CRD made for a binding: digest of the exported API it was last brought to. */
  schema: 'klutch.anynines.com/schema',
  /** On a cluster-scoped CRD made for a binding: the `clusterScopedIsolation` of the export. */
  isolation: 'klutch.anynines.com/isolation',
  /** On a manifest: never change the object once it exists. */
  bootstrapCreateOnly: 'bootstrap.klutch.anynines.com/create-only',
  /** On a manifest: the optional part of an installation it belongs to. */
  bootstrapBattery: 'bootstrap.klutch.anynines.com/battery',
} as const;

/** Value of {@link annotations.bound}. */
export const boundValue = 'true';

/** Values of {@link annotations.resourceOwner}. */
export const ResourceOwner = { Provider: 'Provider', Consumer: 'Consumer' } as const;
export type ResourceOwner = (typeof ResourceOwner)[keyof typeof ResourceOwner];
