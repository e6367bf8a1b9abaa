import { dns1123SubdomainProblems } from '@klutch/cel';
import { invalid, notSupported, required } from '../schema/fields/field-error.ts';
import { child, index } from '../schema/fields/field-path.ts';
import type { FieldCause } from '../status/status-error.ts';
import { selectorCauses } from './label-selector-causes.ts';
import { pathSegmentProblems } from './path-segment.ts';
import {
  type ClusterRole,
  type PolicyRule,
  RBAC_GROUP,
  type Role,
  type RoleBinding,
  type RoleRef,
  type Subject,
} from './rbac-objects.ts';

/**
 * Validators of roles and bindings, for objects with defaults filled in. They say what is wrong with everything but
 * `metadata`; names of these kinds are bound by `pathSegmentProblems` only.
 */

/** What is wrong with a Role. */
export function roleCauses({ rules }: Role): FieldCause[] {
  return (rules ?? []).flatMap((rule, position) => ruleCauses(rule, index('rules', position), true));
}

/** What is wrong with a ClusterRole. */
export function clusterRoleCauses({ rules, aggregationRule }: ClusterRole): FieldCause[] {
  return [
    ...(rules ?? []).flatMap((rule, position) => ruleCauses(rule, index('rules', position), false)),
    ...aggregationCauses(aggregationRule),
  ];
}

/** What is wrong with a RoleBinding. @param old what it replaces: the role can never change */
export function roleBindingCauses(binding: RoleBinding, old?: RoleBinding): FieldCause[] {
  return bindingCauses(binding, ['Role', 'ClusterRole'], true, old);
}

/** What is wrong with a ClusterRoleBinding. @param old what it replaces: the role can never change */
export function clusterRoleBindingCauses(binding: RoleBinding, old?: RoleBinding): FieldCause[] {
  return bindingCauses(binding, ['ClusterRole'], false, old);
}

function ruleCauses(rule: PolicyRule, field: string, isNamespaced: boolean): FieldCause[] {
  const { verbs = [], apiGroups = [], resources = [], resourceNames = [], nonResourceURLs = [] } = rule;
  const causes = verbs.length > 0 ? [] : [required(child(field, 'verbs'), 'verbs must contain at least one value')];
  if (nonResourceURLs.length > 0) {
    const paths = child(field, 'nonResourceURLs');
    const isAboutResources = apiGroups.length > 0 || resources.length > 0 || resourceNames.length > 0;
    return [
      ...causes,
      ...(isNamespaced ? [invalid(paths, nonResourceURLs, 'namespaced rules cannot apply to non-resource URLs')] : []),
      ...(isAboutResources
        ? [invalid(paths, nonResourceURLs, 'rules cannot apply to both regular resources and non-resource URLs')]
        : []),
    ];
  }
  return [
    ...causes,
    ...(apiGroups.length > 0
      ? []
      : [required(child(field, 'apiGroups'), 'resource rules must supply at least one api group')]),
    ...(resources.length > 0
      ? []
      : [required(child(field, 'resources'), 'resource rules must supply at least one resource')]),
  ];
}

function aggregationCauses(rule: ClusterRole['aggregationRule']): FieldCause[] {
  if (rule === undefined) return [];
  const field = 'aggregationRule.clusterRoleSelectors';
  const selectors = rule.clusterRoleSelectors ?? [];
  if (selectors.length === 0)
    return [required(field, 'at least one clusterRoleSelector required if aggregationRule is non-nil')];
  return selectors.flatMap((selector, position) => {
    const causes = selectorCauses(selector, index(field, position));
    return causes.length === 0 ? [] : [...causes, invalid(index(field, position), null, 'invalid label selector.')];
  });
}

function bindingCauses(
  { roleRef, subjects = [] }: RoleBinding,
  roleKinds: readonly string[],
  isNamespaced: boolean,
  old: RoleBinding | undefined,
): FieldCause[] {
  return [
    ...(roleRef.apiGroup === RBAC_GROUP ? [] : [notSupported('roleRef.apiGroup', roleRef.apiGroup, [RBAC_GROUP])]),
    ...(roleKinds.includes(roleRef.kind) ? [] : [notSupported('roleRef.kind', roleRef.kind, roleKinds)]),
    ...roleNameCauses(roleRef.name),
    ...subjects.flatMap((subject, position) => subjectCauses(subject, index('subjects', position), isNamespaced)),
    ...(old === undefined || isSameRole(roleRef, old.roleRef) ? [] : [changedRole(roleRef)]),
  ];
}

function roleNameCauses(name: string): FieldCause[] {
  if (name === '') return [required('roleRef.name')];
  return pathSegmentProblems(name).map((problem) => invalid('roleRef.name', name, problem));
}

function isSameRole(one: RoleRef, other: RoleRef): boolean {
  return one.apiGroup === other.apiGroup && one.kind === other.kind && one.name === other.name;
}

function changedRole({ apiGroup, kind, name }: RoleRef): FieldCause {
  // Kubernetes shows its inner form of the reference here.
  return invalid('roleRef', { APIGroup: apiGroup, Kind: kind, Name: name }, 'cannot change roleRef');
}

const SUBJECT_KINDS = ['ServiceAccount', 'User', 'Group'];

function subjectCauses(subject: Subject, field: string, isNamespaced: boolean): FieldCause[] {
  const { kind, name, apiGroup = '' } = subject;
  const nameCauses = name === '' ? [required(child(field, 'name'))] : [];
  if (kind === 'ServiceAccount') return [...nameCauses, ...serviceAccountCauses(subject, field, isNamespaced)];
  if (!SUBJECT_KINDS.includes(kind)) return [...nameCauses, notSupported(child(field, 'kind'), kind, SUBJECT_KINDS)];
  if (apiGroup === RBAC_GROUP) return nameCauses;
  return [...nameCauses, notSupported(child(field, 'apiGroup'), apiGroup, [RBAC_GROUP])];
}

function serviceAccountCauses(
  { name, apiGroup = '', namespace = '' }: Subject,
  field: string,
  isNamespaced: boolean,
): FieldCause[] {
  const problems = name === '' ? [] : dns1123SubdomainProblems(name);
  return [
    ...problems.map((problem) => invalid(child(field, 'name'), name, problem)),
    ...(apiGroup === '' ? [] : [notSupported(child(field, 'apiGroup'), apiGroup, [''])]),
    ...(isNamespaced || namespace !== '' ? [] : [required(child(field, 'namespace'))]),
  ];
}
