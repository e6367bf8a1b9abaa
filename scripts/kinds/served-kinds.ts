/** API groups whose kinds are served, in the versions that Kubernetes prefers. */
const GROUPS: Readonly<Record<string, string>> = {
  '': 'v1',
  'admissionregistration.k8s.io': 'v1',
  'apiextensions.k8s.io': 'v1',
  'apiregistration.k8s.io': 'v1',
  apps: 'v1',
  'authentication.k8s.io': 'v1',
  'authorization.k8s.io': 'v1',
  autoscaling: 'v2',
  batch: 'v1',
  'coordination.k8s.io': 'v1',
  'discovery.k8s.io': 'v1',
  'events.k8s.io': 'v1',
  'networking.k8s.io': 'v1',
  'node.k8s.io': 'v1',
  policy: 'v1',
  'rbac.authorization.k8s.io': 'v1',
  'scheduling.k8s.io': 'v1',
  'storage.k8s.io': 'v1',
};

/** Kinds that promise something the embedded server does not do: calling webhooks, placing Pods, giving out addresses. */
const REFUSED: ReadonlySet<string> = new Set([
  'bindings',
  'componentstatuses',
  'ipaddresses',
  'mutatingwebhookconfigurations',
  'servicecidrs',
  'validatingwebhookconfigurations',
]);

/** Subresources that are data; all others ask for something to be done by nodes or other servers. */
const SUBRESOURCES = ['/status', '/scale', 'namespaces/finalize', 'serviceaccounts/token'];

export function isServed(group: string, version: string, resource: string): boolean {
  return GROUPS[group] === version && !REFUSED.has(resource);
}

/** @param name `resource/subresource` */
export function isServedSubresource(name: string): boolean {
  return SUBRESOURCES.some((served) => name.endsWith(served));
}
