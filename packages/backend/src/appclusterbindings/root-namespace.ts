import { annotations, type ClusterBinding, distinctName, goBindingRootNamespaceName } from '@klutch/api';
import type { Namespace } from '@klutch/kube';
import { type BindingRef, isDerivedFrom } from './binding-labels.ts';

/** The namespaces that may be, or be in the way of, the root namespace of a binding. */
export interface RootCandidates {
  /** The one with the name that no other binding can have. */
  readonly own?: Namespace;
  /** The one with the name that a Go backend would have given; other bindings may have the same. */
  readonly go?: Namespace;
  /** The ClusterBinding in the latter. */
  readonly goClusterBinding?: ClusterBinding;
}

export type Root =
  | { readonly verdict: 'use'; readonly namespace: Namespace; readonly name: string }
  | { readonly verdict: 'create'; readonly name: string }
  | { readonly verdict: 'foreign'; readonly name: string };

/** Name of the root namespace of a binding; different for different bindings, however their names are cut. */
export function rootNamespaceName({ namespace, name }: BindingRef): string {
  return distinctName('klutch-bind', namespace, name);
}

/**
 * Which namespace a binding keeps its things in. A namespace is only used when it says that it is of this binding; one
 * that a Go backend made does not, but its ClusterBinding does.
 */
export function chooseRoot(binding: BindingRef, { own, go, goClusterBinding }: RootCandidates): Root {
  const name = rootNamespaceName(binding);
  if (own) return isRootOf(own, binding) ? { verdict: 'use', namespace: own, name } : { verdict: 'foreign', name };
  const isGoRoot =
    go !== undefined &&
    !isServiceNamespace(go) &&
    (isDerivedFrom(go, binding) || isDerivedFrom(goClusterBinding, binding));
  if (isGoRoot) return { verdict: 'use', namespace: go, name: goBindingRootNamespaceName(binding) };
  return { verdict: 'create', name };
}

function isRootOf(namespace: Namespace, binding: BindingRef): boolean {
  return !isServiceNamespace(namespace) && isDerivedFrom(namespace, binding);
}

/** What stands for a namespace of an app cluster belongs to that cluster, whatever its labels say. */
function isServiceNamespace({ metadata }: Namespace): boolean {
  return metadata.annotations?.[annotations.apiServiceNamespace] !== undefined;
}
