/** Condition types, by the kind that carries them. `Ready` sums up the others on every kind that has conditions. */
export const ConditionType = {
  /** All kinds. */
  Ready: 'Ready',
  /** APIServiceBinding, ClusterBinding, AppClusterBinding: the kubeconfig Secret can be used. */
  SecretValid: 'SecretValid',
  /** APIServiceBinding: the konnector has seen the state of the control plane. */
  InformersSynced: 'InformersSynced',
  /** ClusterBinding: its message is the history of the control plane as far as konnectors wrote it down; see decision 25. */
  HistoryMarked: 'HistoryMarked',
  /** APIServiceBinding: the last sign of life reached the control plane. */
  Heartbeating: 'Heartbeating',
  /** APIServiceBinding: the export exists and its CRD is in place. APIServiceExport: a binding uses it. */
  Connected: 'Connected',
  /** APIServiceBinding: the CRD equals the export. The Go konnector never sets it. */
  SchemaInSync: 'SchemaInSync',
  /** APIServiceBinding: the latest change of the schema can be taken over without harm, or was accepted. */
  SchemaCompatible: 'SchemaCompatible',
  /** APIServiceBinding: objects of the API travel, and none of them is held back. */
  InstancesSynced: 'InstancesSynced',
  /** APIServiceBinding: the accepted claims are served. */
  ClaimsSynced: 'ClaimsSynced',
  /** APIServiceBinding: only there, and False, while it is being deleted and waits for the objects of its API to go. */
  Unbound: 'Unbound',
  /** APIServiceBinding: only there, and False, while the konnector has no credential and tries to get one by enrolment. */
  Enrolled: 'Enrolled',
  /** Objects of bound APIs in an app cluster: only there, and False, while the object cannot travel as it should. */
  KlutchSynced: 'KlutchSynced',
  /** APIServiceExport: what the binding says about `SchemaInSync`. */
  ConsumerInSync: 'ConsumerInSync',
  /** APIServiceExport: the export equals its CRD on the control plane. */
  ProviderInSync: 'ProviderInSync',
  /** APIServiceExport, copied from the CRD in the app cluster. */
  NamesAccepted: 'NamesAccepted',
  /** APIServiceExport, copied from the CRD in the app cluster. */
  Established: 'Established',
  /** APIServiceExportRequest, AppClusterBinding: all exports exist. */
  ExportsReady: 'ExportsReady',
  /** ClusterBinding: the konnector's version could be read. */
  ValidVersion: 'ValidVersion',
  /** ClusterBinding: heartbeats arrive as promised. */
  Healthy: 'Healthy',
  /** ClusterBinding: the credential of the app cluster is fresh, and renewed in time. */
  CredentialValid: 'CredentialValid',
  /** ClusterBinding: the app cluster may do what its exports and claims need. */
  RightsGranted: 'RightsGranted',
  /** APIServiceNamespace: the namespace of the control plane is there. AppClusterBinding: the root namespace is. */
  NamespaceReady: 'NamespaceReady',
  /** AppClusterBinding: the konnector is deployed, or not wanted. */
  KonnectorDeployed: 'KonnectorDeployed',
} as const;
export type ConditionType = (typeof ConditionType)[keyof typeof ConditionType];
