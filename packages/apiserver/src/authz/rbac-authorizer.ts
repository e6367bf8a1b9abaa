import { aggregateText, goQuote } from '@klutch/cel';
import type { User } from '../authn/user.ts';
import type { Attributes, Verdict } from './attributes.ts';
import { type CompiledRule, compileRule, ruleAllows } from './compiled-rule.ts';
import {
  type PolicyRule,
  RBAC_GROUP,
  type Role,
  type RoleBinding,
  type RoleRef,
  type Subject,
} from './rbac-objects.ts';
import type { RoleSource } from './role-source.ts';
import { type AppliedBinding, indexSubjects, type SubjectIndex } from './subject-index.ts';

/** Members may do everything, whatever the roles say. */
export const PRIVILEGED_GROUP = 'system:masters';

/** Decides who may do what, by roles and bindings. */
export interface Authorizer {
  authorize(attributes: Attributes): Verdict;
  /** All rules that apply to a user in a namespace, empty for the cluster, and the roles that could not be found. */
  rulesFor(user: User, namespace: string): UserRules;
  /** The rules a binding would grant. */
  rulesOfRole(roleRef: Pick<RoleRef, 'kind' | 'name'>, namespace: string): readonly PolicyRule[] | MissingRole;
}

/** What a user may do, as far as it could be found out. */
export interface UserRules {
  readonly rules: readonly PolicyRule[];
  readonly missing: readonly MissingRole[];
}

/** A role that a binding refers to and that is not there. */
export interface MissingRole {
  readonly kind: string;
  readonly name: string;
}

/** Answers of many users fit; more only means that some are put together again. */
const MAX_REMEMBERED_USERS = 4_096;

/** Answers within microseconds: what applies to a user is put together once and kept until a role or binding changes. */
export function createAuthorizer(source: RoleSource): Authorizer {
  const indexes = new WeakMap<readonly RoleBinding[], SubjectIndex>();
  const compiled = new WeakMap<Role, readonly CompiledRule[]>();
  let remembered = new Map<string, UserGrants>();
  let version = source.version;

  const roleOf = ({ kind, name }: Pick<RoleRef, 'kind' | 'name'>, namespace: string): Role | MissingRole => {
    const role =
      kind === 'ClusterRole' ? source.clusterRole(name) : kind === 'Role' ? source.role(namespace, name) : undefined;
    return role ?? { kind, name };
  };

  const compile = (role: Role): readonly CompiledRule[] => {
    const known = compiled.get(role);
    if (known !== undefined) return known;
    const rules = (role.rules ?? []).map(compileRule);
    compiled.set(role, rules);
    return rules;
  };

  const grantsIn = (user: User, bindings: readonly RoleBinding[], namespace: string): Grants => {
    const index = indexes.get(bindings) ?? indexSubjects(bindings, namespace);
    indexes.set(bindings, index);
    const grants: Grant[] = [];
    const missing: MissingRole[] = [];
    for (const applied of index.bindingsOf(user)) {
      const role = roleOf(applied.binding.roleRef, namespace);
      if (isMissing(role)) missing.push(role);
      else grants.push({ ...applied, rules: compile(role) });
    }
    return { grants, missing };
  };

  const grantsOf = (user: User): UserGrants => {
    if (version !== source.version || remembered.size > MAX_REMEMBERED_USERS) {
      remembered = new Map();
      version = source.version;
    }
    // Names hold any character, so a mere separator could make two users look the same.
    const key = JSON.stringify([user.name, ...user.groups]);
    const known = remembered.get(key);
    if (known !== undefined) return known;
    const grants = { cluster: grantsIn(user, source.clusterRoleBindings(), ''), namespaces: new Map<string, Grants>() };
    remembered.set(key, grants);
    return grants;
  };

  /** Grants of the cluster come first, as their verdicts do. */
  const layersOf = (user: User, namespace: string): readonly Grants[] => {
    const { cluster, namespaces } = grantsOf(user);
    if (namespace === '') return [cluster];
    const known = namespaces.get(namespace);
    if (known !== undefined) return [cluster, known];
    const bindings = source.roleBindings(namespace);
    // Anybody can ask about namespaces that do not exist; remembering those would fill the memory.
    if (bindings.length === 0) return [cluster];
    const found = grantsIn(user, bindings, namespace);
    namespaces.set(namespace, found);
    return [cluster, found];
  };

  return {
    authorize: (attributes) => {
      if (attributes.user.groups.includes(PRIVILEGED_GROUP)) return { allowed: true, reason: '' };
      const layers = layersOf(attributes.user, namespaceOf(attributes));
      for (const { grants } of layers) {
        const grant = grants.find(({ rules }) => rules.some((rule) => ruleAllows(rule, attributes)));
        if (grant !== undefined) return { allowed: true, reason: reasonOf(grant) };
      }
      const problems = layers.flatMap(({ missing }) => missing).map(missingRoleText);
      return { allowed: false, reason: problems.length === 0 ? '' : `RBAC: ${aggregateText(problems)}` };
    },
    rulesFor: (user, namespace) => {
      const layers = layersOf(user, namespace);
      const grants = layers.flatMap((layer) => layer.grants);
      return {
        rules: grants.flatMap(({ rules }) => rules.map((rule) => rule.source)),
        missing: layers.flatMap(({ missing }) => missing),
      };
    },
    rulesOfRole: (roleRef, namespace) => {
      const role = roleOf(roleRef, namespace);
      return isMissing(role) ? role : (role.rules ?? []);
    },
  };
}

/** Whether the role asked for is not there. */
export function isMissingRole(found: readonly PolicyRule[] | MissingRole): found is MissingRole {
  return !Array.isArray(found);
}

/** Why a reference leads nowhere, as access reviews and refusals say it. */
export function missingRoleText({ kind, name }: MissingRole): string {
  if (kind !== 'ClusterRole' && kind !== 'Role') return `unsupported role reference kind: ${goQuote(kind)}`;
  return `${kind.toLowerCase()}.${RBAC_GROUP} ${goQuote(name)} not found`;
}

/** What bindings of the cluster, or of one namespace, grant a user. */
interface Grants {
  readonly grants: readonly Grant[];
  readonly missing: readonly MissingRole[];
}

interface Grant extends AppliedBinding {
  readonly rules: readonly CompiledRule[];
}

interface UserGrants {
  readonly cluster: Grants;
  readonly namespaces: Map<string, Grants>;
}

function isMissing(role: Role | MissingRole): role is MissingRole {
  return !('metadata' in role);
}

function namespaceOf(attributes: Attributes): string {
  return 'path' in attributes ? '' : (attributes.namespace ?? '');
}

function reasonOf({ binding: { metadata, roleRef }, subject }: AppliedBinding): string {
  const { name = '', namespace = '' } = metadata;
  const binding =
    namespace === '' ? `ClusterRoleBinding ${goQuote(name)}` : `RoleBinding ${goQuote(`${name}/${namespace}`)}`;
  const role = `${roleRef.kind} ${goQuote(roleRef.name)}`;
  return `RBAC: allowed by ${binding} of ${role} to ${subjectText(subject, namespace)}`;
}

function subjectText({ kind, name, namespace }: Subject, bindingNamespace: string): string {
  if (kind !== 'ServiceAccount') return `${kind} ${goQuote(name)}`;
  return `${kind} ${goQuote(`${name}/${namespace || bindingNamespace}`)}`;
}
