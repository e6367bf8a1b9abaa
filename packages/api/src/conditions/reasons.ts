/** Reasons on an APIServiceBinding. */
export const APIServiceBindingReason = {
  /** Ready, as the CLI first writes it. */
  Pending: 'Pending',
  /** SecretValid: the Secret does not exist. */
  KubeconfigSecretNotFound: 'KubeconfigSecretNotFound',
  /** SecretValid: key, syntax, current context, namespace or credentials are wrong. */
  KubeconfigSecretInvalid: 'KubeconfigSecretInvalid',
  /** InformersSynced: the control plane could not be read in time. */
  InformerSyncTimeout: 'InformerSyncTimeout',
  /** InformersSynced: a konnector on the control plane cannot reach or use its app cluster. */
  AppClusterUnreachable: 'AppClusterUnreachable',
  /** Heartbeating: the ClusterBinding could not be written. */
  ClusterBindingUpdateFailed: 'ClusterBindingUpdateFailed',
  /** Heartbeating: the control plane does not answer. */
  ControlPlaneUnreachable: 'ControlPlaneUnreachable',
  /** Heartbeating: the control plane answers, but no longer accepts the kubeconfig. */
  CredentialsRejected: 'CredentialsRejected',
  /** Heartbeating: the control plane has no ClusterBinding for this app cluster. */
  ClusterBindingNotFound: 'ClusterBindingNotFound',
  /** Connected: there is no export of this name. */
  APIServiceExportNotFound: 'APIServiceExportNotFound',
  /** Connected, ClaimsSynced: the provider no longer offers the API to this tenant; the data is kept. */
  EntitlementWithdrawn: 'EntitlementWithdrawn',
  /** Connected: the export cannot become a CRD. */
  APIServiceExportInvalid: 'APIServiceExportInvalid',
  /** Connected: the app cluster refused to create the CRD. */
  CustomResourceDefinitionCreateFailed: 'CustomResourceDefinitionCreateFailed',
  /** Connected: the app cluster refused to change the CRD. */
  CustomResourceDefinitionUpdateFailed: 'CustomResourceDefinitionUpdateFailed',
  /** Connected, SchemaInSync: the konnector lacks a right on the CRD in the app cluster. */
  CustomResourceDefinitionForbidden: 'CustomResourceDefinitionForbidden',
  /** Connected: the CRD was not made for this binding. */
  ForeignCustomResourceDefinition: 'ForeignCustomResourceDefinition',
  /** SchemaInSync: the app cluster has not established the CRD yet. */
  CustomResourceDefinitionNotEstablished: 'CustomResourceDefinitionNotEstablished',
  /** SchemaCompatible: the change is taken over, but somebody should look at it. */
  SchemaChangeNeedsCare: 'SchemaChangeNeedsCare',
  /** SchemaCompatible, SchemaInSync: the change could make objects invalid and waits until it is accepted. */
  BreakingSchemaChange: 'BreakingSchemaChange',
  /** InstancesSynced: copies whose originals vanished are kept until somebody decides. */
  OrphansHeld: 'OrphansHeld',
  /** InstancesSynced: copies on the control plane belong to another app cluster. */
  OtherAppCluster: 'OtherAppCluster',
  /** InstancesSynced: the app cluster is in an earlier state than the control plane has seen. */
  AppClusterSetBack: 'AppClusterSetBack',
  /** InstancesSynced: objects wait for their namespace on the control plane. */
  NamespacesWaiting: 'NamespacesWaiting',
  /** InstancesSynced: the type cannot be read or written on one side. */
  ResourceUnavailable: 'ResourceUnavailable',
  /** InstancesSynced, ClaimsSynced: the konnector met an unexpected error and starts the work again. */
  SynchronisationFailed: 'SynchronisationFailed',
  /** ClaimsSynced: a claim without which the binding makes no sense was rejected. */
  RequiredClaimRejected: 'RequiredClaimRejected',
  /** ClaimsSynced: a claimed type does not exist or may not be read on one side. */
  ClaimUnavailable: 'ClaimUnavailable',
  /** ClaimsSynced: objects of the same name on both sides belong to different owners. */
  ClaimConflict: 'ClaimConflict',
  /** ClaimsSynced: the control plane is in an earlier state than this konnector has seen, and copies of its objects are kept. */
  ControlPlaneSetBack: 'ControlPlaneSetBack',
  /** ClaimsSynced: one side does not take a copy of a claimed object. */
  ClaimRefused: 'ClaimRefused',
  /** Unbound: objects of the API are still there. */
  ObjectsLeft: 'ObjectsLeft',
  /** Enrolled: the backend is being asked for a credential. */
  Enrolling: 'Enrolling',
  /** Enrolled: the backend could not be asked. */
  EnrolmentFailed: 'EnrolmentFailed',
  /** Enrolled: the backend does not give a credential to this app cluster. */
  EnrolmentRefused: 'EnrolmentRefused',
  /** Enrolled: the backend gave a credential for this enrolment to another app cluster. */
  EnrolledElsewhere: 'EnrolledElsewhere',
  /** Enrolled: the time in which the token could be exchanged is over. */
  EnrolmentExpired: 'EnrolmentExpired',
  /** Enrolled: the Secret with the token is not complete. */
  EnrolmentSecretInvalid: 'EnrolmentSecretInvalid',
} as const;
export type APIServiceBindingReason = (typeof APIServiceBindingReason)[keyof typeof APIServiceBindingReason];

/** Reasons on an APIServiceExport. */
export const APIServiceExportReason = {
  /** Connected: no binding of this name. */
  APIServiceBindingNotFound: 'APIServiceBindingNotFound',
  /** ConsumerInSync: the binding does not say. */
  Unknown: 'Unknown',
  /** ConsumerInSync: there is no binding. */
  NA: 'NA',
  /** ProviderInSync: the CRD on the control plane cannot be exported. */
  CustomResourceDefinitionUpdateFailed: 'CustomResourceDefinitionUpdateFailed',
  /** ProviderInSync: the API is no longer offered to this tenant, so its rights have ended. Its data is kept. */
  EntitlementWithdrawn: 'EntitlementWithdrawn',
} as const;
export type APIServiceExportReason = (typeof APIServiceExportReason)[keyof typeof APIServiceExportReason];

/** Reasons on an APIServiceExportRequest. */
export const APIServiceExportRequestReason = {
  /** ExportsReady: the control plane has no such CRD. */
  CRDNotFound: 'CRDNotFound',
  /** ExportsReady: the CRD cannot be exported. */
  CRDInvalid: 'CRDInvalid',
  /** ExportsReady: no template offers the API. */
  NotExported: 'NotExported',
  /** ExportsReady: the tenant may not bind the API. */
  NotEntitled: 'NotEntitled',
  /** ExportsReady: the API is cluster-scoped, and only namespaced ones are exported here. */
  ScopeRefused: 'ScopeRefused',
  /** ExportsReady: the API has permission claims, which cannot be granted where app clusters see all namespaces. */
  ClaimsRefused: 'ClaimsRefused',
  /** ExportsReady: an earlier export of the API is still being removed. */
  ExportEnding: 'ExportEnding',
  /** ExportsReady: the control plane did not take an export. */
  ExportNotWritten: 'ExportNotWritten',
} as const;
export type APIServiceExportRequestReason =
  (typeof APIServiceExportRequestReason)[keyof typeof APIServiceExportRequestReason];

/** Reasons on a ClusterBinding. */
export const ClusterBindingReason = {
  /** SecretValid: the Secret on the control plane does not exist. */
  ProviderSecretNotFound: 'ProviderSecretNotFound',
  /** SecretValid: the Secret on the control plane lacks the key. */
  ProviderSecretInvalid: 'ProviderSecretInvalid',
  /** ValidVersion: the konnector's own version is not one. */
  ParseError: 'ParseError',
  /** Healthy: nothing was heard yet. */
  FirstHeartbeatPending: 'FirstHeartbeatPending',
  /** Healthy: the konnector promised no interval. */
  HeartbeatIntervalMissing: 'HeartbeatIntervalMissing',
  /** Healthy: nothing was heard for twice the promised interval. */
  HeartbeatTimeout: 'HeartbeatTimeout',
  /** Healthy: the clocks of the two clusters disagree. */
  HeartbeatTimeDrift: 'HeartbeatTimeDrift',
  /** CredentialValid: the operator has taken all access from the app cluster. */
  AccessRevoked: 'AccessRevoked',
  /** CredentialValid: nothing was heard from the konnector for so long that access expires soon. */
  AppClusterSilent: 'AppClusterSilent',
  /** CredentialValid: nothing was heard from the konnector for too long, so access has ended. */
  AccessExpired: 'AccessExpired',
  /** CredentialValid: no new token could be issued. */
  CredentialRenewalFailed: 'CredentialRenewalFailed',
  /** RightsGranted: a role could not be written, most often because the backend itself lacks a right. */
  GrantFailed: 'GrantFailed',
} as const;
export type ClusterBindingReason = (typeof ClusterBindingReason)[keyof typeof ClusterBindingReason];

/** Reasons on an AppClusterBinding. */
export const AppClusterBindingReason = {
  /** SecretValid: the Secret does not exist. */
  KubeconfigSecretNotFound: 'KubeconfigSecretNotFound',
  /** SecretValid: key, syntax, current context or credentials are wrong. */
  KubeconfigSecretInvalid: 'KubeconfigSecretInvalid',
  /** KonnectorDeployed: the Deployment could not be built or written. */
  KonnectorDeploymentFailed: 'KonnectorDeploymentFailed',
  /** KonnectorDeployed: the overrides ask for something that is not allowed. */
  OverridesRefused: 'OverridesRefused',
  /** SecretValid: the Secret lies in another namespace. */
  KubeconfigSecretForeign: 'KubeconfigSecretForeign',
  /** SecretValid: the operator has not let the backend read Secrets in the namespace of the binding. */
  KubeconfigSecretForbidden: 'KubeconfigSecretForbidden',
  /** ExportsReady: an API is not offered, or not to this binding. */
  ExportFailed: 'ExportFailed',
  /** NamespaceReady: the root namespace belongs to somebody else. */
  NamespaceForeign: 'NamespaceForeign',
  /** NamespaceReady: no names of other objects can be derived from the name of the binding. */
  NameUnusable: 'NameUnusable',
  /** NamespaceReady, ExportsReady: the control plane refused a write, most often because the backend lacks a right. */
  WriteFailed: 'WriteFailed',
  /** ExportsReady: requests are under way. */
  ExportsPending: 'ExportsPending',
  /** NamespaceReady: the binding is to go, but objects of bound APIs are still there. */
  DeletionHeld: 'DeletionHeld',
  /** NamespaceReady: what belongs to the binding is being removed. */
  Deleting: 'Deleting',
} as const;
export type AppClusterBindingReason = (typeof AppClusterBindingReason)[keyof typeof AppClusterBindingReason];

/** Reasons on an APIServiceNamespace. */
export const APIServiceNamespaceReason = {
  /** NamespaceReady: a namespace of that name exists and belongs to somebody else. */
  NamespaceForeign: 'NamespaceForeign',
  /** NamespaceReady: the app cluster has as many namespaces as it may have. */
  QuotaExceeded: 'QuotaExceeded',
  /** NamespaceReady: it is to go, but objects of bound APIs are still in it. */
  DeletionHeld: 'DeletionHeld',
  /** NamespaceReady: it is being removed. */
  Deleting: 'Deleting',
  /** NamespaceReady: it, or the rights in it, could not be written or read. */
  NamespaceFailed: 'NamespaceFailed',
} as const;
export type APIServiceNamespaceReason = (typeof APIServiceNamespaceReason)[keyof typeof APIServiceNamespaceReason];

/** Reasons of `KlutchSynced`, and of Events, on objects of bound APIs in an app cluster. */
export const InstanceReason = {
  /** Its namespace has no counterpart on the control plane yet. */
  NamespaceNotReady: 'NamespaceNotReady',
  /** Its namespace can never have a counterpart on the control plane. */
  NamespaceRefused: 'NamespaceRefused',
  /** The counterpart of its namespace is being removed. */
  NamespaceEnding: 'NamespaceEnding',
  /** The control plane does not let its side be read. */
  ControlPlaneUnreadable: 'ControlPlaneUnreadable',
  /** The control plane refuses the object. */
  Rejected: 'Rejected',
  /** The provider no longer offers the API to this tenant; the data is kept. */
  EntitlementWithdrawn: 'EntitlementWithdrawn',
  /** Its place on the control plane is taken by an object of somebody else. */
  Conflict: 'Conflict',
  /** It is deleted, and the control plane is not done with that. */
  Deleting: 'Deleting',
  /** Somebody deletes it on the control plane, where it will be created again. */
  DeletedOnControlPlane: 'DeletedOnControlPlane',
} as const;
export type InstanceReason = (typeof InstanceReason)[keyof typeof InstanceReason];
