import {
  applyRbacDefaults,
  clusterRoleBindingCauses,
  clusterRoleCauses,
  pathSegmentProblems,
  RBAC_GROUP,
  type RoleBinding,
  roleBindingCauses,
  roleCauses,
  type Subject,
} from '../../authz/index.ts';
import type { ApiObject } from '../../objects/api-object.ts';
import type { PrinterColumn } from '../../registry/served-resource.ts';
import type { FieldCause } from '../../status/status-error.ts';
import { ageColumn, column, createdAtColumn, nameColumn, type Shown, wideColumn } from '../columns.ts';
import { defineKind, type KindDefinition } from '../define-kind.ts';
import { labelSelector } from '../meta/label-selector.ts';
import { always, atomicStruct, list, must, ptr, struct, text, value } from '../types/fields.ts';

const policyRule = struct('PolicyRule', 'What may be done: with resources, or with paths.', {
  verbs: must(list(text(), 'The verbs; * for all.')),
  apiGroups: list(text(), 'API groups; "" for core, * for all.'),
  resources: list(text(), 'Resources and resource/subresource; * for all.'),
  resourceNames: list(text(), 'Names of objects; all if absent.'),
  nonResourceURLs: list(text(), 'Paths that are no resources; * at the end matches anything.'),
});

const aggregationRule = struct('AggregationRule', 'Whose rules are taken over.', {
  clusterRoleSelectors: list(labelSelector, 'Cluster roles, by labels.'),
});

const subject = atomicStruct('Subject', 'A user, a group or a service account.', {
  kind: must(text('User, Group or ServiceAccount.')),
  apiGroup: text('rbac.authorization.k8s.io for users and groups.'),
  name: must(text('Its name.')),
  namespace: text('Of a service account.'),
});

const roleRef = atomicStruct('RoleRef', 'A role.', {
  apiGroup: must(text('rbac.authorization.k8s.io.')),
  kind: must(text('Role or ClusterRole.')),
  name: must(text('Its name.')),
});

const rules = always(list(policyRule, 'The rules.'));
const bindingFields = {
  subjects: list(subject, 'Who.'),
  roleRef: must(value(roleRef, 'The role; cannot be changed.')),
};

const role = struct('Role', 'What may be done in a namespace.', { rules });
const clusterRole = struct('ClusterRole', 'What may be done in the cluster, or in a namespace it is bound in.', {
  rules,
  aggregationRule: ptr(aggregationRule, 'Makes the rules those of other cluster roles.'),
});
const roleBinding = struct('RoleBinding', 'Who has a role in a namespace.', bindingFields);
const clusterRoleBinding = struct('ClusterRoleBinding', 'Who has a role in the cluster.', bindingFields);

type Causes = (object: ApiObject, old?: ApiObject) => readonly FieldCause[];

function rbacKind(definition: Pick<KindDefinition, 'type' | 'resource' | 'namespaced' | 'columns'>, causes: Causes) {
  return defineKind({
    ...definition,
    group: RBAC_GROUP,
    strategy: {
      createOnUpdate: true,
      nameProblems: pathSegmentProblems,
      validateCreate: (object) => causes(object),
      validateUpdate: causes,
    },
    fillIn: applyRbacDefaults,
  });
}

const names = (kind: string, nameOf: (subject: Subject) => string) => (binding: Shown<RoleBinding>) =>
  (binding.subjects ?? [])
    .filter((one) => one.kind === kind)
    .map(nameOf)
    .join(', ');

const roleColumns: readonly PrinterColumn[] = [nameColumn, createdAtColumn];
const bindingColumns: readonly PrinterColumn[] = [
  nameColumn,
  column(
    'Role',
    'The role.',
    ({ roleRef: binding }: Shown<RoleBinding>) => `${binding?.kind ?? ''}/${binding?.name ?? ''}`,
  ),
  ageColumn,
  wideColumn(
    'Users',
    'Users that have it.',
    names('User', ({ name }) => name),
  ),
  wideColumn(
    'Groups',
    'Groups that have it.',
    names('Group', ({ name }) => name),
  ),
  wideColumn(
    'ServiceAccounts',
    'Service accounts that have it.',
    names('ServiceAccount', ({ name, namespace }) => (namespace ? `${namespace}/${name}` : name)),
  ),
];

export const roles = rbacKind({ type: role, resource: 'roles', columns: roleColumns }, (object) => roleCauses(object));

export const clusterRoles = rbacKind(
  { type: clusterRole, resource: 'clusterroles', namespaced: false, columns: roleColumns },
  (object) => clusterRoleCauses(object),
);

export const roleBindings = rbacKind(
  { type: roleBinding, resource: 'rolebindings', columns: bindingColumns },
  (object, old) => roleBindingCauses(object as ApiObject & RoleBinding, old as (ApiObject & RoleBinding) | undefined),
);

export const clusterRoleBindings = rbacKind(
  { type: clusterRoleBinding, resource: 'clusterrolebindings', namespaced: false, columns: bindingColumns },
  (object, old) =>
    clusterRoleBindingCauses(object as ApiObject & RoleBinding, old as (ApiObject & RoleBinding) | undefined),
);
