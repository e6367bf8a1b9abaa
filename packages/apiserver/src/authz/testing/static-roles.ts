import { BOOTSTRAP_POLICY } from '../bootstrap/policy.ts';
import type { ClusterRole, Role, RoleBinding } from '../rbac-objects.ts';
import type { RoleSource } from '../role-source.ts';
import { readRecording } from './recording.ts';

type RbacObject = ClusterRole | Role | RoleBinding;

/** Roles and bindings that tests put together. */
export interface StaticRoles extends RoleSource {
  /** Replaces everything, as if it had been written. */
  replace(objects: readonly RbacObject[]): void;
}

/** A source of these roles and bindings. */
export function staticRoles(objects: readonly RbacObject[]): StaticRoles {
  let version = 0;
  let all = objects;
  let lists = new Map<string, readonly RoleBinding[]>();
  const find = (kind: string, namespace: string, name: string) =>
    all.find(
      ({ kind: k, metadata }) => k === kind && metadata.name === name && (metadata.namespace ?? '') === namespace,
    );
  const bindings = (kind: string, namespace: string) => {
    const known = lists.get(namespace);
    if (known !== undefined) return known;
    const found = all
      .filter((object) => object.kind === kind && (object.metadata.namespace ?? '') === namespace)
      .sort((left, right) => ((left.metadata.name ?? '') < (right.metadata.name ?? '') ? -1 : 1));
    lists.set(namespace, found as RoleBinding[]);
    return found as RoleBinding[];
  };
  return {
    get version() {
      return version;
    },
    clusterRole: (name) => find('ClusterRole', '', name),
    role: (namespace, name) => find('Role', namespace, name),
    clusterRoleBindings: () => bindings('ClusterRoleBinding', ''),
    roleBindings: (namespace) => bindings('RoleBinding', namespace),
    replace: (next) => {
      all = next;
      lists = new Map();
      version++;
    },
  };
}

/** The roles and bindings the server had, besides its own, while the recordings were made. */
export function recordedWorld(): RbacObject[] {
  const written = readRecording<RbacObject>(new URL('../recorded/world.jsonl', import.meta.url));
  return [...written, ...BOOTSTRAP_POLICY.clusterRoles, ...BOOTSTRAP_POLICY.clusterRoleBindings];
}
