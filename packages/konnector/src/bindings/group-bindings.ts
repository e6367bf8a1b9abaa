import type { APIServiceBinding, ClusterSecretKeyRef } from '@klutch/api';
import { keyOf } from '@klutch/kube';

/**
 * How bindings find their link. `BySecret`: one link for each kubeconfig Secret, because each leads to a control plane.
 * With `one`, all bindings belong to the link of that name: there is one control plane and one app cluster.
 */
export type Grouping = { readonly by: 'secret' } | { readonly by: 'one'; readonly link: string };

/** Name of the link that serves a binding; undefined for a binding that names no Secret. */
export function linkOf(binding: Pick<APIServiceBinding, 'spec'>, grouping: Grouping): string | undefined {
  if (grouping.by === 'one') return grouping.link;
  const ref = secretRefOf(binding);
  return ref && keyOf(ref);
}

/** The Secret that a binding names. */
export function secretRefOf(binding: Pick<APIServiceBinding, 'spec'>): ClusterSecretKeyRef | undefined {
  return binding.spec?.kubeconfigSecretRef;
}

/** Bindings by link; those without one are left out. */
export function groupBindings(
  bindings: Iterable<APIServiceBinding>,
  grouping: Grouping,
): ReadonlyMap<string, readonly APIServiceBinding[]> {
  const groups = new Map<string, APIServiceBinding[]>();
  for (const binding of bindings) {
    const link = linkOf(binding, grouping);
    if (link === undefined) continue;
    const group = groups.get(link);
    if (group) group.push(binding);
    else groups.set(link, [binding]);
  }
  return groups;
}
