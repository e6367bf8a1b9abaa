import type { Origin } from '../epoch/line.ts';

/** What speaks for and against an app Namespace being gone for good. */
export interface Absence {
  /** The watch of the app cluster delivered the deletion while this process was looking. */
  readonly deletionSeen: boolean;
  /**
   * A read from the app cluster itself, made just now, did not find it there, and found the cluster to be the same, in the same
   * history unless the deletion was seen.
   */
  readonly confirmed: boolean;
  /** Identity of the app cluster that the mapping was made for; absent when a Go konnector made it. */
  readonly sourceCluster?: string;
  readonly appClusterId: string;
  /** Where the Namespace was when the mapping got its stamp. */
  readonly origin: Origin;
  /** The operator says that nothing has to be proven. */
  readonly isReleased: boolean;
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
  const { deletionSeen, confirmed, sourceCluster, appClusterId, origin, isReleased } = absence;
  if (sourceCluster !== undefined && sourceCluster !== appClusterId)
    return { verdict: 'unproven', why: 'It was made for another app cluster.' };
  if (!deletionSeen && sourceCluster === undefined)
    return {
      verdict: 'unproven',
      why: 'It was made by another konnector, and nobody saw the Namespace being deleted.',
    };
  if (!deletionSeen && origin !== 'here' && !isReleased)
    return { verdict: 'unproven', why: 'The app cluster does not remember that it had the Namespace.' };
  return { verdict: confirmed ? 'gone' : 'confirm' };
}
