import type { ResourceType, UnknownObject } from '@klutch/kube';

const rbac = 'rbac.authorization.k8s.io';

/** The resource types of all manifests of a konnector, by kind. */
const types: Readonly<Record<string, ResourceType>> = {
  Namespace: type('', 'namespaces', 'Namespace', false),
  ServiceAccount: type('', 'serviceaccounts', 'ServiceAccount', true),
  ClusterRole: type(rbac, 'clusterroles', 'ClusterRole', false),
  ClusterRoleBinding: type(rbac, 'clusterrolebindings', 'ClusterRoleBinding', false),
  Role: type(rbac, 'roles', 'Role', true),
  RoleBinding: type(rbac, 'rolebindings', 'RoleBinding', true),
  Deployment: type('apps', 'deployments', 'Deployment', true),
  NetworkPolicy: type('networking.k8s.io', 'networkpolicies', 'NetworkPolicy', true),
};

/** Where a manifest belongs. */
export function typeOf(manifest: UnknownObject): ResourceType {
  const found = types[manifest.kind];
  if (found === undefined) throw new TypeError(`no manifest of a konnector is a ${manifest.kind}`);
  return found;
}

function type(group: string, plural: string, kind: string, namespaced: boolean): ResourceType {
  return { group, version: 'v1', plural, kind, namespaced };
}
