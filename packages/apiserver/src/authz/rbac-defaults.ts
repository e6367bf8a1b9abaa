import type { ApiObject } from '../objects/api-object.ts';
import { RBAC_GROUP } from './rbac-objects.ts';

/**
 * Fills in, in place, what clients may leave out of roles and bindings, so that the types of these kinds hold. Fields
 * must have the right JSON types, or be null.
 */
export function applyRbacDefaults(object: ApiObject): void {
  dropNulls(object);
  if (object.kind === 'Role' || object.kind === 'ClusterRole') defaultRole(object);
  else defaultBinding(object);
}

type Fields = Record<string, unknown>;

function defaultRole(role: Fields): void {
  const rules = (role.rules ?? []) as Fields[];
  // Kubernetes shows a role without rules with an explicit null.
  if (rules.length === 0) role.rules = null;
  const selectors = ((role.aggregationRule as Fields | undefined)?.clusterRoleSelectors ?? []) as Fields[];
  for (const { matchExpressions = [] } of selectors) {
    for (const requirement of matchExpressions as Fields[]) fill(requirement, { key: '', operator: '' });
  }
}

function defaultBinding(binding: Fields): void {
  const roleRef = (binding.roleRef ?? {}) as Fields;
  binding.roleRef = fill(roleRef, { apiGroup: RBAC_GROUP, kind: '', name: '' });
  const subjects = (binding.subjects ?? []) as Fields[];
  if (subjects.length === 0) delete binding.subjects;
  for (const subject of subjects) {
    const belongsToGroup = subject.kind === 'User' || subject.kind === 'Group';
    fill(subject, { kind: '', ...(belongsToGroup ? { apiGroup: RBAC_GROUP } : {}), name: '' });
  }
}

function fill(fields: Fields, defaults: Readonly<Record<string, string>>): Fields {
  for (const [field, value] of Object.entries(defaults)) fields[field] ||= value;
  return fields;
}

/** To Kubernetes, null says the same as no field at all. */
function dropNulls(value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  for (const [field, content] of Object.entries(value)) {
    if (content === null && !Array.isArray(value)) delete (value as Fields)[field];
    else dropNulls(content);
  }
}
