import type { KubeClient } from '@klutch/kube';
import { ClusterRoleBindings, ClusterRoles, rbacGroup, type Rule } from '../../packages/backend/src/objects/rbac.ts';

/** What the controllers of exports, requests and service namespaces, and the catalogue, may do; no more than they need. */
export const controllerRules: readonly Rule[] = [
  rule('apiextensions.k8s.io', ['customresourcedefinitions'], ['get', 'list', 'watch']),
  rule('example-backend.klutch.anynines.com', ['apiserviceexporttemplates'], ['list', 'watch']),
  rule('bind.anynines.com', ['apiserviceexporttemplates'], ['list', 'watch']),
  rule('', ['namespaces'], ['get', 'list', 'watch', 'create', 'patch', 'delete']),
  rule(rbacGroup, ['rolebindings'], ['get', 'list', 'watch', 'create', 'patch', 'delete']),
  rule('klutch.anynines.com', ['apiserviceexportrequests'], ['list', 'watch', 'delete']),
  rule('klutch.anynines.com', ['apiserviceexports'], ['list', 'watch', 'create', 'patch', 'delete']),
  rule('klutch.anynines.com', ['apiservicenamespaces'], ['get', 'list', 'watch', 'patch']),
  rule(
    'klutch.anynines.com',
    ['apiserviceexportrequests/status', 'apiserviceexports/status', 'apiservicenamespaces/status'],
    ['patch'],
  ),
];

/** The right to look for what is left of an offered API. */
export function lookingRule(group: string, plural: string): Rule {
  return rule(group, [plural], ['list']);
}

/** Gives a user rights in the whole cluster, besides those it has. */
export async function grantToUser(
  admin: KubeClient,
  user: string,
  role: string,
  rules: readonly Rule[],
): Promise<void> {
  const apiVersion = `${rbacGroup}/v1`;
  const manager = { fieldManager: 'klutch-test', force: true };
  await admin
    .resource(ClusterRoles)
    .apply({ apiVersion, kind: 'ClusterRole', metadata: { name: role }, rules }, manager);
  await admin.resource(ClusterRoleBindings).apply(
    {
      apiVersion,
      kind: 'ClusterRoleBinding',
      metadata: { name: role },
      subjects: [{ kind: 'User', name: user, apiGroup: rbacGroup } as { kind: string; name: string }],
      roleRef: { apiGroup: rbacGroup, kind: 'ClusterRole', name: role },
    },
    manager,
  );
}

function rule(group: string, resources: readonly string[], verbs: readonly string[]): Rule {
  return { apiGroups: [group], resources, verbs };
}
