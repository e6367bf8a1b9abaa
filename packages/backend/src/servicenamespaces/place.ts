import { annotations, distinctName, goServiceNamespaceName } from '@klutch/api';
import type { Namespace, ObjectRef } from '@klutch/kube';

/** The two namespaces that may be the service namespace of an app namespace. */
export interface Places {
  /** The one with the name that no other app namespace can have. */
  readonly own?: Namespace;
  /** The one with the name that a Go backend would have given; others may have the same. */
  readonly go?: Namespace;
}

/** For whom a place is: an APIServiceNamespace, and the UID of the cluster namespace it lies in. */
export interface Claimant {
  readonly clusterNamespace: string;
  readonly clusterUid: string;
  /** The app namespace. */
  readonly name: string;
}

export type Place =
  | { readonly is: 'ours'; readonly namespace: Namespace }
  | { readonly is: 'free'; readonly name: string }
  /** Somebody else's. `heir` when it was made for an app cluster of the same name that is no more. */
  | { readonly is: 'foreign'; readonly name: string; readonly heir: boolean };

/** The names of both places. */
export function placeNames({ namespace = '', name }: ObjectRef): { readonly own: string; readonly go: string } {
  return { own: distinctName(namespace, name), go: goServiceNamespaceName(namespace, name) };
}

/**
 * Which namespace serves an app namespace. One that exists is used only when it says itself that it was made for exactly
 * this: names can be guessed, and those of a Go backend are ambiguous. `answered` is what was told before, and decides
 * only between two that both say so.
 */
export function choosePlace({ own, go }: Places, claimant: Claimant, answered: string | undefined): Place {
  const ours = [own, go].flatMap((namespace) => (namespace && isMadeFor(namespace, claimant) ? [namespace] : []));
  const chosen = ours.find(({ metadata }) => metadata.name === answered) ?? ours[0];
  if (chosen) return { is: 'ours', namespace: chosen };
  const { own: name } = placeNames({ namespace: claimant.clusterNamespace, name: claimant.name });
  return own ? { is: 'foreign', name, heir: isNamedFor(own, claimant) } : { is: 'free', name };
}

/** What a namespace says that was made for a claimant. */
export function marksOf({ clusterNamespace, clusterUid, name }: Claimant): Readonly<Record<string, string>> {
  return {
    [annotations.apiServiceNamespace]: `${clusterNamespace}/${name}`,
    [annotations.tenant]: `${clusterNamespace}/${clusterUid}`,
  };
}

/** Go backends do not say for which of several cluster namespaces of one name; those they made have never shared one. */
function isMadeFor(namespace: Namespace, claimant: Claimant): boolean {
  const tenant = namespace.metadata.annotations?.[annotations.tenant];
  return isNamedFor(namespace, claimant) && (tenant === undefined || tenant === marksOf(claimant)[annotations.tenant]);
}

function isNamedFor({ metadata }: Namespace, { clusterNamespace, name }: Claimant): boolean {
  return metadata.annotations?.[annotations.apiServiceNamespace] === `${clusterNamespace}/${name}`;
}
