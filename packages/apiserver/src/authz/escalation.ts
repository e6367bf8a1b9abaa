import { aggregateText, deepEqual, goQuote } from '@klutch/cel';
import type { User } from '../authn/user.ts';
import type { ApiObject } from '../objects/api-object.ts';
import { forbidden, notFound, StatusError } from '../status/status-error.ts';
import { quotedList } from './quoted-list.ts';
import {
  type Authorizer,
  isMissingRole,
  type MissingRole,
  missingRoleText,
  PRIVILEGED_GROUP,
} from './rbac-authorizer.ts';
import { type ClusterRole, type PolicyRule, RBAC_GROUP, type Role, type RoleBinding } from './rbac-objects.ts';
import { uncoveredRules } from './rule-cover.ts';
import { ruleLines } from './rule-text.ts';

/** Somebody creates or changes a role or a binding. */
export interface RbacWrite {
  readonly user: User;
  readonly resource: 'roles' | 'clusterroles' | 'rolebindings' | 'clusterrolebindings';
  /** Of the request; empty for the kinds of the cluster. */
  readonly namespace: string;
  /** In the path of the request; empty for a creation. */
  readonly name: string;
  /** With defaults filled in. */
  readonly object: ApiObject;
  /** What the object replaces. */
  readonly old?: ApiObject;
}

/**
 * Nobody may hand out rights they do not have: throws the refusal, or returns when the write is fine. Who may `escalate`
 * roles or `bind` a role is trusted with more.
 */
export function checkEscalation(write: RbacWrite, authorizer: Authorizer): void {
  if (write.user.groups.includes(PRIVILEGED_GROUP)) return;
  if (write.resource === 'roles' || write.resource === 'clusterroles') checkRole(write, authorizer);
  else checkBinding(write, authorizer);
}

/** All rights there are; without them, nobody may collect rules of roles that others will write. */
const FULL_AUTHORITY: readonly PolicyRule[] = [
  { verbs: ['*'], apiGroups: ['*'], resources: ['*'] },
  { verbs: ['*'], nonResourceURLs: ['*'] },
];

function checkRole(write: RbacWrite, authorizer: Authorizer): void {
  const { user, resource, namespace, name } = write;
  if (authorizer.authorize({ user, verb: 'escalate', group: RBAC_GROUP, resource, namespace, name }).allowed) return;
  if (changesOnlyLifecycle(write)) return;
  checkRules(write, (write.object as unknown as Role).rules ?? [], authorizer);
  if (resource !== 'clusterroles' || ![write.object, write.old].some(isAggregated)) return;
  const { rules } = authorizer.rulesFor(user, namespace);
  if (uncoveredRules(rules, FULL_AUTHORITY).length === 0) return;
  throw refusal(write, 'must have cluster-admin privileges to use the aggregationRule');
}

function checkBinding(write: RbacWrite, authorizer: Authorizer): void {
  if (changesOnlyLifecycle(write)) return;
  const { user, namespace } = write;
  const { roleRef } = write.object as unknown as RoleBinding;
  if (mayBind(user, roleRef, namespace, authorizer)) return;
  const rules = authorizer.rulesOfRole(roleRef, namespace);
  if (isMissingRole(rules)) throw missingRole(write, rules);
  checkRules(write, rules, authorizer);
}

function mayBind(
  user: User,
  { apiGroup, kind, name }: RoleBinding['roleRef'],
  namespace: string,
  authorizer: Authorizer,
): boolean {
  if (kind !== 'Role' && kind !== 'ClusterRole') return false;
  const resource = kind === 'Role' ? 'roles' : 'clusterroles';
  return authorizer.authorize({ user, verb: 'bind', group: apiGroup, resource, name, namespace }).allowed;
}

function checkRules(write: RbacWrite, wanted: readonly PolicyRule[], authorizer: Authorizer): void {
  const { user, namespace } = write;
  const { rules, missing } = authorizer.rulesFor(user, namespace);
  const uncovered = uncoveredRules(rules, wanted);
  if (uncovered.length === 0) return;
  const who = `user ${goQuote(user.name)} (groups=${quotedList(user.groups)})`;
  const lines = ruleLines(uncovered).join('\n');
  const unresolved = missing.map((role) => missingRoleIn(write, role));
  const note = unresolved.length === 0 ? '' : `; resolution errors: [${aggregateText(unresolved)}]`;
  throw refusal(write, `${who} is attempting to grant RBAC permissions not currently held:\n${lines}${note}`);
}

/** Garbage collection and finalizers must go on whoever is behind them. */
function changesOnlyLifecycle({ object, old }: RbacWrite): boolean {
  return old !== undefined && deepEqual(withoutLifecycle(object), withoutLifecycle(old));
}

function withoutLifecycle(object: ApiObject): object {
  const lifecycle = { ownerReferences: undefined, finalizers: undefined, managedFields: undefined };
  return { ...object, metadata: { ...object.metadata, ...lifecycle } };
}

function isAggregated(object: ApiObject | undefined): boolean {
  const selectors = (object as unknown as ClusterRole | undefined)?.aggregationRule?.clusterRoleSelectors;
  return selectors !== undefined && selectors.length > 0;
}

function refusal({ resource, object }: RbacWrite, problem: string): StatusError {
  return forbidden({ group: RBAC_GROUP, resource }, object.metadata.name ?? '', problem);
}

function missingRole(write: RbacWrite, role: MissingRole): StatusError {
  if (role.kind === 'Role' || role.kind === 'ClusterRole')
    return notFound({ group: RBAC_GROUP, resource: write.resource }, role.name);
  return new StatusError(500, '', missingRoleText(role));
}

/** Kubernetes names the resource of the request here, not that of the role. */
function missingRoleIn(write: RbacWrite, role: MissingRole): string {
  return missingRole(write, role).message;
}
