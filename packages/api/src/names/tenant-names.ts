import { createHash } from 'node:crypto';
import { controlPlane } from './well-known.ts';

/** Longest name of a namespace, a label value and most other things. */
export const maxNameLength = 63;

/** ClusterRole, and ClusterRoleBinding where there is one, of an app cluster. */
export function binderRoleName(clusterNamespace: string): string {
  return `${controlPlane.binder}-${clusterNamespace}`;
}

/** Name on the control plane of a cluster-scoped object with isolation `Prefixed`. */
export function prefixedName(clusterNamespace: string, name: string): string {
  return `${clusterNamespace}-${name}`;
}

/**
 * Service namespace as the Go backend names it. Different pairs can give the same name, and a long one cannot be a
 * namespace; use it to recognise what a Go backend made, and {@link distinctName} for new namespaces.
 */
export function goServiceNamespaceName(clusterNamespace: string, appNamespace: string): string {
  return `${clusterNamespace}-${appNamespace}`;
}

/** Root namespace of an AppClusterBinding as the Go backend names it; as ambiguous as {@link goServiceNamespaceName}. */
export function goBindingRootNamespaceName(binding: { readonly namespace: string; readonly name: string }): string {
  return `klutch-bind-${binding.namespace}-${binding.name}`;
}

/** Deployment of the konnector of an AppClusterBinding. */
export function controlPlaneKonnectorName(bindingName: string): string {
  return `konnector-${bindingName}`;
}

/** ClusterRole and ClusterRoleBinding that earlier backends left for an AppClusterBinding; to be removed with it. */
export function legacyKonnectorRoleName(binding: { readonly namespace: string; readonly name: string }): string {
  return `klutch-konnector-${binding.namespace}-${binding.name}`;
}

/**
 * A namespace name for parts that are DNS labels: readable, never too long, and different for different parts, since
 * it ends in a digest of the parts with their boundaries.
 */
export function distinctName(...parts: readonly [string, ...string[]]): string {
  const digest = createHash('sha256').update(parts.join('/')).digest('hex').slice(0, 10);
  const stem = parts
    .join('-')
    .slice(0, maxNameLength - digest.length - 1)
    .replace(/-+$/, '');
  return `${stem}-${digest}`;
}
