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

type Causes = (object: ApiObject, old?: ApiObject) => readonly FieldCause[];

function rbacKind(definition: Pick<KindDefinition, 'resource' | 'columns'>, causes: Causes) {
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

export const roles = rbacKind({ resource: 'roles', columns: roleColumns }, (object) => roleCauses(object));

export const clusterRoles = rbacKind({ resource: 'clusterroles', columns: roleColumns }, (object) =>
  clusterRoleCauses(object),
);

export const roleBindings = rbacKind({ resource: 'rolebindings', columns: bindingColumns }, (object, old) =>
  roleBindingCauses(object as ApiObject & RoleBinding, old as (ApiObject & RoleBinding) | undefined),
);

export const clusterRoleBindings = rbacKind(
  { resource: 'clusterrolebindings', columns: bindingColumns },
  (object, old) =>
    clusterRoleBindingCauses(object as ApiObject & RoleBinding, old as (ApiObject & RoleBinding) | undefined),
);
