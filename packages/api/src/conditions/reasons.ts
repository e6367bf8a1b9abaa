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
  /** Heartbeating: the ClusterBinding could not be written. */
  ClusterBindingUpdateFailed: 'ClusterBindingUpdateFailed',
  /** Connected: there is no export of this name. */
  APIServiceExportNotFound: 'APIServiceExportNotFound',
  /** Connected: the export cannot become a CRD. */
  APIServiceExportInvalid: 'APIServiceExportInvalid',
  /** Connected: the app cluster refused to create the CRD. */
  CustomResourceDefinitionCreateFailed: 'CustomResourceDefinitionCreateFailed',
  /** Connected: the app cluster refused to change the CRD. */
  CustomResourceDefinitionUpdateFailed: 'CustomResourceDefinitionUpdateFailed',
  /** Connected: the CRD was not made for this binding. */
  ForeignCustomResourceDefinition: 'ForeignCustomResourceDefinition',
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
} as const;
export type APIServiceExportReason = (typeof APIServiceExportReason)[keyof typeof APIServiceExportReason];

/** Reasons on an APIServiceExportRequest. */
export const APIServiceExportRequestReason = {
  /** ExportsReady: the control plane has no such CRD. */
  CRDNotFound: 'CRDNotFound',
  /** ExportsReady: the CRD cannot be exported. */
  CRDInvalid: 'CRDInvalid',
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
} as const;
export type AppClusterBindingReason = (typeof AppClusterBindingReason)[keyof typeof AppClusterBindingReason];
