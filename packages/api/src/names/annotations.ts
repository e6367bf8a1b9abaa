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
  /** On an APIServiceNamespace: the service namespace that the backend named first. Unknown to the Go konnector. */
  serviceNamespace: 'klutch.anynines.com/first-service-namespace',
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
  /** On a binding: types of which copies may exist because of its claims, as `<group>/<version>/<plural>`, with commas. */
  claimedTypes: 'klutch.anynines.com/claimed-types',
  /** On a CRD that a binding left behind: the tenant it was bound to, as `<cluster namespace>/<UID of it>`. */
  released: 'klutch.anynines.com/released',
  /**
   * On a CRD made for a binding: the tenant it is bound to, and on a service namespace: the one it was made for, as
   * `<cluster namespace>/<UID of it>`.
   */
  tenant: 'klutch.anynines.com/tenant',
  /**
   * On a CRD made for a binding: where that lives, since an owner reference does not tell, as `<UID>/<namespace>`. The UID
   * is that of the `kube-system` Namespace for a binding in the app cluster, that of the cluster namespace for one on the
   * control plane.
   */
  boundIn: 'klutch.anynines.com/bound-in',
  /** On the CRD of bindings, if the konnector made it: version of the konnector that last brought it to its schema. */
  madeByVersion: 'klutch.anynines.com/made-by-version',
  /** On a CRD made for a binding, or of bindings: digest of the API it was last brought to. */
  schema: 'klutch.anynines.com/schema',
  /** On a CRD made for a binding, while a change of its export is held back: the API that stays in use, packed. */
  keptSchema: 'klutch.anynines.com/kept-schema',
  /** On a cluster-scoped CRD made for a binding: the `clusterScopedIsolation` of the export. */
  isolation: 'klutch.anynines.com/isolation',
  /** On a cluster namespace: canonical identity of the tenant it belongs to, as the backend's policy computes it. */
  tenantIdentity: 'klutch.anynines.com/tenant-identity',
  /** On a cluster namespace: display name of the tenant, by which templates are restricted. */
  tenantName: 'klutch.anynines.com/tenant-name',
  /** On a cluster namespace: the id under which the app cluster was registered. */
  appClusterId: 'klutch.anynines.com/app-cluster-id',
  /** On a cluster namespace: UID of the `kube-system` Namespace of the app cluster, if its CLI told. */
  appClusterUid: 'klutch.anynines.com/app-cluster-uid',
  /** On a cluster namespace: `<issuer>/<subject>` of who bound last. */
  boundBy: 'klutch.anynines.com/bound-by',
  /**
   * On a cluster namespace: why the app cluster has no access; its data stays. `Revoked`: the operator has taken it away,
   * and only the operator gives it back. `Expired`: nothing was heard from it for too long, and another bind gives it back.
   */
  access: 'klutch.anynines.com/access',
  /** On a cluster namespace: when all credentials of the app cluster were last ended on request of its tenant. */
  evictedAt: 'klutch.anynines.com/evicted-at',
  /** On a cluster namespace: when the backend last saw a new heartbeat, by its own clock; brought up to date once a day. */
  lastContact: 'klutch.anynines.com/last-contact',
  /** On a cluster namespace: the heartbeat that the backend saw then, as the konnector wrote it; empty for none. */
  lastHeartbeat: 'klutch.anynines.com/last-heartbeat',
  /** On a cluster namespace from which nothing is heard: when its access expires, unless a heartbeat arrives before. */
  silentUntil: 'klutch.anynines.com/silent-until',
  /** On a cluster namespace whose access has ended: its own name, to delete it with all data of the app cluster. */
  purge: 'klutch.anynines.com/purge',
  /** On the lease of a backend: `true` when its admission policy was last seen in force, `false` when it was not. */
  policyInForce: 'klutch.anynines.com/policy-in-force',
  /** On a template: names of the tenants that may bind it, separated by commas; all may when absent. */
  allowedTenants: 'klutch.anynines.com/allowed-tenants',
  /** On a template: one or two sentences for the catalogue page. */
  description: 'klutch.anynines.com/description',
  /**
   * On a CRD, on exports of it and on the CRDs made for bindings of these: what people should know about the service, as
   * JSON. Unknown to Go Klutch.
   */
  serviceDescription: 'klutch.anynines.com/service-description',
  /** On an AppClusterBinding: claims that are accepted in the name of the app cluster: `all`, `none` or `<resource>.<group>,…`. */
  acceptClaims: 'klutch.anynines.com/accept-claims',
  /** On a Lease of the backend: how far a login with a device code has come, sealed. */
  deviceLogin: 'klutch.anynines.com/device-login',
  /** On a kubeconfig Secret of an app cluster: address of the backend that issued it. */
  backendUrl: 'klutch.anynines.com/backend-url',
  /** On a kubeconfig Secret that the konnector made: name of the Secret with the enrolment token it was exchanged for. */
  enrolledBy: 'klutch.anynines.com/enrolled-by',
  /** On a kubeconfig Secret of an app cluster: `<plural>.<group>,…` of APIs whose unbinding began and is not finished. */
  unbinding: 'klutch.anynines.com/unbinding',
  /** On a Secret to which tokens of an app cluster are bound: when it goes, and they with it. */
  retireAt: 'klutch.anynines.com/retire-at',
  /** On a Secret to which tokens of an app cluster are bound: when they were issued; on its cluster namespace: when the last was. */
  issuedAt: 'klutch.anynines.com/issued-at',
  /** On a Secret to which tokens of an app cluster are bound: when they expire. */
  expiresAt: 'klutch.anynines.com/expires-at',
  /**
   * On the lease of the konnector: the history of the app cluster as far as the konnector wrote it down, as
   * `<epoch>:<count> ...`, the newest first. See decision 25.
   */
  mark: 'klutch.anynines.com/mark',
  /** On a copy: the moment, as `<epoch>:<count>`, by which its original was in the cluster that it comes from. */
  stamp: 'klutch.anynines.com/stamp',
  /** On the CRD of a bound API: its own UID and the moment by which it was in the app cluster, as `<UID> <epoch>:<count>`. */
  crdStamp: 'klutch.anynines.com/crd-stamp',
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
