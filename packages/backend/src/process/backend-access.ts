import { controlPlane } from '@klutch/api';
import type { KubeObject, ResourceType } from '@klutch/kube';
import { subjectOf } from '../grants/own-rights.ts';
import {
  ClusterRoleBindings,
  ClusterRoles,
  rbacGroup,
  type RoleBinding,
  RoleBindings,
  Roles,
} from '../objects/rbac.ts';
import { AdmissionPolicies, AdmissionPolicyBindings } from '../policies/admission-policy.ts';
import { backendPolicies } from '../policies/backend-policies.ts';
import { appClusterBindingsRole, backendRoles, type RuleGrounds } from './backend-rules.ts';

/** What decides about the access of a backend to its control plane. */
export interface AccessGrounds extends RuleGrounds {
  /** User name of the backend's account. */
  readonly account: string;
  /** Namespace of the backend. */
  readonly namespace: string;
  /** Name of its roles, and beginning of the names of its policies; default `klutch-backend`. */
  readonly name?: string;
  /** Namespaces whose AppClusterBindings it may serve. */
  readonly appClusterNamespaces?: readonly string[];
}

/** An object to apply, and its type. */
export interface Applicable {
  readonly type: ResourceType<KubeObject>;
  readonly object: KubeObject;
}

/**
 * Everything that gives a backend its rights and narrows them, in the order in which it can be applied: policies first. The
 * namespaces, and the account if it is a service account, have to be there.
 */
export function backendAccess(grounds: AccessGrounds): readonly Applicable[] {
  const { account, namespace, name = controlPlane.backend, appClusterNamespaces = [] } = grounds;
  const { clusterRoles, role } = backendRoles(grounds, { name, namespace });
  const bound = (metadata: KubeObject['metadata'], kind: 'Role' | 'ClusterRole', roleName: string) =>
    boundTo(account, metadata, { apiGroup: rbacGroup, kind, name: roleName });
  return [
    ...backendPolicies({ ...grounds, name }).map((object) => ({
      type: object.kind === AdmissionPolicies.kind ? AdmissionPolicies : AdmissionPolicyBindings,
      object,
    })),
    ...clusterRoles.map((object) => ({ type: ClusterRoles, object })),
    bound({ name }, 'ClusterRole', name),
    { type: Roles, object: role },
    bound({ name, namespace }, 'Role', name),
    ...appClusterNamespaces.map((place) =>
      bound({ name: controlPlane.backend, namespace: place }, 'ClusterRole', appClusterBindingsRole),
    ),
  ] as readonly Applicable[];
}

function boundTo(account: string, metadata: KubeObject['metadata'], roleRef: RoleBinding['roleRef']) {
  const type = metadata.namespace === undefined ? ClusterRoleBindings : RoleBindings;
  const subjects = [subjectOf(account)];
  return { type, object: { apiVersion: `${rbacGroup}/v1`, kind: type.kind, metadata, subjects, roleRef } };
}
