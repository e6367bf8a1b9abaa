import type { ClusterRole, ClusterRoleBinding, Role, RoleBinding } from './rbac-objects.ts';

/** Where an authorizer finds roles and bindings. Answers are plain values that nobody changes. */
export interface RoleSource {
  /** Differs from an earlier value when any answer may differ from then. */
  readonly version: number;
  clusterRole(name: string): ClusterRole | undefined;
  role(namespace: string, name: string): Role | undefined;
  /** In order of their names; the same array as long as no binding in it changed. */
  clusterRoleBindings(): readonly ClusterRoleBinding[];
  /** Bindings of one namespace, in order of their names; the same array as long as no binding in it changed. */
  roleBindings(namespace: string): readonly RoleBinding[];
}
