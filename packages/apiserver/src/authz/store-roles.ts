import type { ApiObject } from '../objects/api-object.ts';
import type { Entry, Store } from '../storage/types.ts';
import { type ClusterRoleBinding, RBAC_GROUP, type RoleBinding } from './rbac-objects.ts';
import type { RoleSource } from './role-source.ts';

/** Storage names of the four kinds. */
export const RBAC_BUCKETS = {
  clusterRoles: `${RBAC_GROUP}/clusterroles`,
  clusterRoleBindings: `${RBAC_GROUP}/clusterrolebindings`,
  roles: `${RBAC_GROUP}/roles`,
  roleBindings: `${RBAC_GROUP}/rolebindings`,
} as const;

/** Roles and bindings as they are stored, parsed when somebody asks for them. */
export function openStoreRoles(store: Store): RoleSource & { close(): void } {
  const parsed = new WeakMap<Entry, ApiObject>();
  const bindingsByNamespace = new Map<string, readonly RoleBinding[]>();
  let clusterBindings: readonly ClusterRoleBinding[] | undefined;
  let version = 0;

  const parse = (entry: Entry): ApiObject => {
    const known = parsed.get(entry);
    if (known !== undefined) return known;
    const object = entry.object();
    parsed.set(entry, object);
    return object;
  };
  const find = (bucket: string, key: string): ApiObject | undefined => {
    const entry = store.get(bucket, key);
    return entry && parse(entry);
  };
  const bindings = (bucket: string, namespace?: string): RoleBinding[] =>
    store.scan(bucket, { namespace }).map((entry) => parse(entry) as unknown as RoleBinding);

  const changed = () => {
    version++;
  };
  const stops = [
    store.watch(RBAC_BUCKETS.clusterRoles, store.revision, changed),
    store.watch(RBAC_BUCKETS.roles, store.revision, changed),
    store.watch(RBAC_BUCKETS.clusterRoleBindings, store.revision, () => {
      clusterBindings = undefined;
      changed();
    }),
    store.watch(RBAC_BUCKETS.roleBindings, store.revision, ({ entry }) => {
      bindingsByNamespace.delete(entry.key.slice(0, entry.key.indexOf('/')));
      changed();
    }),
  ];

  return {
    get version() {
      return version;
    },
    clusterRole: (name) => find(RBAC_BUCKETS.clusterRoles, `/${name}`),
    role: (namespace, name) => find(RBAC_BUCKETS.roles, `${namespace}/${name}`),
    clusterRoleBindings: () => {
      clusterBindings ??= bindings(RBAC_BUCKETS.clusterRoleBindings);
      return clusterBindings;
    },
    roleBindings: (namespace) => {
      const known = bindingsByNamespace.get(namespace);
      if (known !== undefined) return known;
      const found = bindings(RBAC_BUCKETS.roleBindings, namespace);
      // Anybody can ask about namespaces that do not exist; remembering those would fill the memory.
      if (found.length > 0) bindingsByNamespace.set(namespace, found);
      return found;
    },
    close: () => {
      for (const stop of stops) stop();
    },
  };
}
