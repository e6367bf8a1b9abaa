/** What is known of the place of an app namespace on the control plane. */
export type Mapping =
  /** Nobody asked for it yet. */
  | { readonly state: 'unknown' }
  /** Asked for; the backend has not answered. `since` is when it was asked for. */
  | { readonly state: 'waiting'; readonly since: Date; readonly problem?: string }
  /** The name can never be mapped, or belongs to another app cluster; `problem` says why and what to do. */
  | {
      readonly state: 'refused';
      readonly problem: string;
      /** Identity of the app cluster that it belongs to, if that is why. */
      readonly ofCluster?: string;
      /** Where everything of the app namespace still is, if the backend has named another place since. */
      readonly movedFrom?: string;
    }
  | { readonly state: 'ready'; readonly serviceNamespace: string }
  /** The app namespace is gone and its place is being given up: nothing new may go there. */
  | { readonly state: 'ending'; readonly serviceNamespace: string };

/** Which namespace of the control plane belongs to which of the app cluster. */
export interface NamespaceMap {
  of(appNamespace: string): Mapping;
  /** The app namespace that a service namespace belongs to. */
  appNamespaceOf(serviceNamespace: string): string | undefined;
  /** Service namespaces that are ready or ending, with their app namespaces. */
  entries(): Iterable<readonly [appNamespace: string, serviceNamespace: string]>;
  /** Asks for a mapping because something of that namespace has to travel; asking again is cheap. */
  want(appNamespace: string): void;
  /** Tells of every change of a mapping, by app namespace, and first of all present ones; call the result to end it. */
  subscribe(changed: (appNamespace: string) => void): () => void;
}

/**
 * Asked before a service namespace is given up: whether some part still has objects there. A part answers true until it
 * has seen the last of its objects gone.
 */
export type StillUsed = (serviceNamespace: string) => boolean;
