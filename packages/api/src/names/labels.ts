/** Labels on the objects a backend derives from an AppClusterBinding. */
export const labels = {
  /** Name of that AppClusterBinding. */
  appClusterBindingName: 'klutch.anynines.com/appclusterbinding-name',
  /** Namespace of that AppClusterBinding. */
  appClusterBindingNamespace: 'klutch.anynines.com/appclusterbinding-namespace',
  /** Label of the konnector's Deployment and pods. */
  app: 'app',
} as const;
