/** Labels of Klutch's own objects. */
export const labels = {
  /** On objects a backend derives from an AppClusterBinding: its name. */
  appClusterBindingName: 'klutch.anynines.com/appclusterbinding-name',
  /** On objects a backend derives from an AppClusterBinding: its namespace. */
  appClusterBindingNamespace: 'klutch.anynines.com/appclusterbinding-namespace',
  /** On copies of claimed objects in an app cluster: `Provider`, by which the konnector watches them and no others. */
  claimedFrom: 'klutch.anynines.com/claimed-from',
  /** On cluster namespaces: digest of the tenant identity. */
  tenant: 'klutch.anynines.com/tenant-id',
  /** On cluster namespaces: digest of the id under which the app cluster was registered. */
  appCluster: 'klutch.anynines.com/app-cluster',
  /**
   * On every namespace that a backend made or adopted: the backend's own namespace. Admission policies let a backend write
   * in namespaces with its own name here and in no others, so only the backend and administrators may set it.
   */
  backend: 'klutch.anynines.com/backend',
  /** On admission policies of a backend and on their bindings: what the policy is for. */
  policy: 'klutch.anynines.com/policy',
  /** On service namespaces, and on ClusterRoles of app clusters: the cluster namespace they belong to. */
  clusterNamespace: 'klutch.anynines.com/of-cluster-namespace',
  /** On Secrets to which the tokens of an app cluster are bound: `token`; on the one with its kubeconfig: `kubeconfig`. */
  credential: 'klutch.anynines.com/credential',
  /** On Leases that mark a ticket of a login as used: `used`. */
  ticket: 'klutch.anynines.com/ticket',
  /**
   * On the Secret with an enrolment token, and on the roles and the guard that came with it: the id of the bundle they are
   * part of.
   */
  enrolment: 'klutch.anynines.com/enrolment',
  /** Label of the konnector's Deployment and pods. */
  app: 'app',
} as const;
