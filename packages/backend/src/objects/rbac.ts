import type { KubeObject, ResourceType } from '@klutch/kube';

/** A rule of a role. */
export interface Rule {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly verbs: readonly string[];
  readonly resourceNames?: readonly string[];
}

export interface Role extends KubeObject {
  readonly rules?: readonly Rule[];
}

export interface RoleBinding extends KubeObject {
  readonly subjects?: readonly {
    readonly kind: string;
    readonly name: string;
    readonly namespace?: string;
    readonly apiGroup?: string;
  }[];
  readonly roleRef: { readonly apiGroup: string; readonly kind: string; readonly name: string };
}

export const rbacGroup = 'rbac.authorization.k8s.io';

export const Roles: ResourceType<Role> = rbac('roles', 'Role', true);
export const RoleBindings: ResourceType<RoleBinding> = rbac('rolebindings', 'RoleBinding', true);
export const ClusterRoles: ResourceType<Role> = rbac('clusterroles', 'ClusterRole', false);
export const ClusterRoleBindings: ResourceType<RoleBinding> = rbac('clusterrolebindings', 'ClusterRoleBinding', false);

function rbac<T extends KubeObject>(plural: string, kind: string, namespaced: boolean): ResourceType<T> {
  return { group: rbacGroup, version: 'v1', plural, kind, namespaced };
}
