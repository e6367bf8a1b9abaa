/** What speaks for and against an app Namespace being gone for good. */
export interface Absence {
  /** The watch of the app cluster delivered the deletion while this process was looking. */
  readonly deletionSeen: boolean;
  /** A read from the app cluster itself, made just now, did not find it there, and found the cluster to be the same. */
  readonly confirmed: boolean;
  /** Identity of the app cluster that the mapping was made for; absent when a Go konnector made it. */
  readonly sourceCluster?: string;
  readonly appClusterId: string;
  /** Why absence proves nothing at the moment. */
  readonly setBack?: string;
}

/** `confirm`: everything speaks for it, but the app cluster itself has to be asked first. */
export type Evidence =
  | { readonly verdict: 'gone' | 'confirm' }
  | { readonly verdict: 'unproven'; readonly why: string };

/**
 * Whether an app Namespace that nobody finds was really deleted. Giving up its place destroys everything of it on the
 * control plane, and an app cluster that was rebuilt, restored or mixed up also lacks Namespaces that nobody deleted.
 */
export function evidenceOf(absence: Absence): Evidence {
  const { deletionSeen, confirmed, sourceCluster, appClusterId, setBack } = absence;
  if (sourceCluster !== undefined && sourceCluster !== appClusterId)
    return { verdict: 'unproven', why: 'It was made for another app cluster.' };
  if (!deletionSeen && sourceCluster === undefined)
    return {
      verdict: 'unproven',
      why: 'It was made by another konnector, and nobody saw the Namespace being deleted.',
    };
  if (!deletionSeen && setBack !== undefined) return { verdict: 'unproven', why: setBack };
  return { verdict: confirmed ? 'gone' : 'confirm' };
}
