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
