import type { PolicyRule } from '../rbac-objects.ts';

/** A rule about resources, its lists sorted, as Kubernetes writes its own rules. */
export function onResources(
  verbs: readonly string[],
  apiGroups: readonly string[],
  ...resources: readonly string[]
): PolicyRule {
  return { verbs: [...verbs].sort(), apiGroups: [...apiGroups].sort(), resources: [...resources].sort() };
}

/** A rule about paths, its list sorted. */
export function onPaths(verbs: readonly string[], ...paths: readonly string[]): PolicyRule {
  return { verbs: [...verbs].sort(), nonResourceURLs: [...paths].sort() };
}

/** Verbs that change nothing. */
export const READ = ['get', 'list', 'watch'];
/** Verbs that change something. */
export const WRITE = ['create', 'update', 'patch', 'delete', 'deletecollection'];
