/** Labels of Klutch's own objects. */
export const labels = {
  /** On objects a backend derives from an AppClusterBinding: its name. */
  appClusterBindingName: 'klutch.anynines.com/appclusterbinding-name',
  /** On objects a backend derives from an AppClusterBinding: its namespace. */
  appClusterBindingNamespace: 'klutch.anynines.com/appclusterbinding-namespace',
  /** On copies of claimed objects in an app cluster: `Provider`, by which the konnector watches them and no others. */
  claimedFrom: 'klutch.anynines.com/claimed-from',
  /** Label of the konnector's Deployment and pods. */
  app: 'app',
} as const;
