import { deepEqual } from '@klutch/cel';
import type { Metadata } from '../../objects/api-object.ts';
import type { ClusterRole, ClusterRoleBinding, LabelSelector, Subject } from '../rbac-objects.ts';
import { uncoveredRules } from '../rule-cover.ts';
import { AUTO_UPDATE, type BootstrapPolicy } from './policy.ts';

/** What the server must write at start. A changed role of a binding makes it necessary to delete and create it again. */
export interface PolicyChange {
  readonly operation: 'create' | 'update' | 'recreate';
  readonly object: ClusterRole | ClusterRoleBinding;
}

/** The objects of a policy that are there already, by name. */
export interface ExistingPolicy {
  clusterRole(name: string): ClusterRole | undefined;
  clusterRoleBinding(name: string): ClusterRoleBinding | undefined;
}

/**
 * Changes that give every role and binding of the policy at least what it should have. What administrators added stays;
 * objects they protected stay as they are.
 */
export function reconcilePolicy(policy: BootstrapPolicy, existing: ExistingPolicy): PolicyChange[] {
  return [
    ...policy.clusterRoles.map((role) => reconcileRole(role, existing.clusterRole(role.metadata.name ?? ''))),
    ...policy.clusterRoleBindings.map((binding) =>
      reconcileBinding(binding, existing.clusterRoleBinding(binding.metadata.name ?? '')),
    ),
  ].filter((change) => change !== undefined);
}

function reconcileRole(expected: ClusterRole, existing: ClusterRole | undefined): PolicyChange | undefined {
  if (existing === undefined) return { operation: 'create', object: expected };
  if (isProtected(existing)) return undefined;
  const { aggregationRule: _replaced, ...rest } = existing;
  const missing = uncoveredRules(existing.rules ?? [], expected.rules ?? []);
  const selectors = reconcileSelectors(expected, existing);
  const object: ClusterRole = {
    ...rest,
    metadata: withMarks(existing.metadata, expected.metadata),
    ...(selectors === undefined ? {} : { aggregationRule: { clusterRoleSelectors: selectors } }),
    rules: missing.length === 0 ? existing.rules : [...(existing.rules ?? []), ...missing],
  };
  return deepEqual(object, existing) ? undefined : { operation: 'update', object };
}

function reconcileSelectors(expected: ClusterRole, existing: ClusterRole): readonly LabelSelector[] | undefined {
  const wanted = expected.aggregationRule?.clusterRoleSelectors;
  if (wanted === undefined) return undefined;
  const present = existing.aggregationRule?.clusterRoleSelectors ?? [];
  return [...present, ...wanted.filter((selector) => !present.some((known) => deepEqual(known, selector)))];
}

function reconcileBinding(
  expected: ClusterRoleBinding,
  existing: ClusterRoleBinding | undefined,
): PolicyChange | undefined {
  if (existing === undefined) return { operation: 'create', object: expected };
  if (isProtected(existing)) return undefined;
  if (!deepEqual(existing.roleRef, expected.roleRef)) return { operation: 'recreate', object: expected };
  const present = existing.subjects ?? [];
  const missing = (expected.subjects ?? []).filter(
    (subject) => !present.some((known) => isSameSubject(known, subject)),
  );
  const object: ClusterRoleBinding = {
    ...existing,
    metadata: withMarks(existing.metadata, expected.metadata),
    ...(missing.length === 0 ? {} : { subjects: [...present, ...missing] }),
  };
  return deepEqual(object, existing) ? undefined : { operation: 'update', object };
}

function isSameSubject(one: Subject, other: Subject): boolean {
  return one.kind === other.kind && one.name === other.name && (one.namespace ?? '') === (other.namespace ?? '');
}

function isProtected({ metadata }: ClusterRole | ClusterRoleBinding): boolean {
  return metadata.annotations?.[AUTO_UPDATE] === 'false';
}

/** Labels and annotations that administrators set win. */
function withMarks(existing: Readonly<Metadata>, expected: Readonly<Metadata>): Metadata {
  return {
    ...existing,
    labels: { ...expected.labels, ...existing.labels },
    annotations: { ...expected.annotations, ...existing.annotations },
  };
}
