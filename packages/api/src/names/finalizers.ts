/** Finalizers, named after who removes them. */
export const finalizers = {
  /** On every synchronised object of an app cluster: the konnector removes the copy first. */
  syncer: 'klutch.anynines.com/syncer',
  /** On a binding that asks for it: the konnector deletes all objects of the API first, and their copies with them. */
  unbind: 'klutch.anynines.com/unbind',
  /** On every AppClusterBinding: the backend removes what it derived first. */
  appClusterBindingCleanup: 'klutch.anynines.com/appclusterbinding-cleanup',
  /** On every APIServiceNamespace: the backend removes the service namespace first. */
  serviceNamespace: 'klutch.anynines.com/service-namespace',
  /** On the guard of a bundle: the konnector removes it when everything that was bound has ended. */
  guard: 'klutch.anynines.com/guard',
} as const;
