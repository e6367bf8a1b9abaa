import { describe, expect, it } from 'vitest';

import type { ApiObject } from '../objects/api-object.ts';
import type { Entry, Store, StoredEvent } from '../storage/types.ts';
import { openStoreRoles, RBAC_BUCKETS } from './store-roles.ts';

const named = (name: string, namespace?: string): ApiObject => ({
  apiVersion: 'v1',
  kind: 'X',
  metadata: { name, namespace },
});

/** Just enough of a store: entries in memory, events at once. */
function memoryStore() {
  const buckets = new Map<string, Map<string, Entry>>();
  const listeners = new Map<string, Set<(event: StoredEvent) => void>>();
  let parses = 0;
  const put = (bucket: string, object: ApiObject) => {
    const key = `${object.metadata.namespace ?? ''}/${object.metadata.name}`;
    const json = JSON.stringify(object);
    const parse = (): ApiObject => {
      parses++;
      return JSON.parse(json);
    };
    const entry: Entry = { bucket, key, revision: 1, json, labels: undefined, object: parse };
    buckets.set(bucket, (buckets.get(bucket) ?? new Map<string, Entry>()).set(key, entry));
    for (const listener of listeners.get(bucket) ?? [])
      listener({ type: 'ADDED', revision: 1, entry, previous: undefined });
  };
  const store: Pick<Store, 'revision' | 'get' | 'scan' | 'watch'> = {
    revision: 0,
    get: (bucket, key) => buckets.get(bucket)?.get(key),
    scan: (bucket, { namespace } = {}) => {
      const entries = [...(buckets.get(bucket)?.values() ?? [])];
      return entries
        .filter(({ key }) => namespace === undefined || key.startsWith(`${namespace}/`))
        .sort((left, right) => (left.key < right.key ? -1 : 1));
    },
    watch: (bucket, _, listener) => {
      const those = listeners.get(bucket) ?? new Set();
      listeners.set(bucket, those.add(listener));
      return () => those.delete(listener);
    },
  };
  const watchers = () => [...listeners.values()].reduce((sum, those) => sum + those.size, 0);
  return { store: store as Store, put, parses: () => parses, watchers };
}

describe('roles of a store', () => {
  it('are found by name, and by namespace and name', () => {
    const { store, put } = memoryStore();
    put(RBAC_BUCKETS.clusterRoles, named('one'));
    put(RBAC_BUCKETS.roles, named('two', 'a'));
    const roles = openStoreRoles(store);
    expect(roles.clusterRole('one')?.metadata.name).toBe('one');
    expect(roles.clusterRole('two')).toBeUndefined();
    expect(roles.role('a', 'two')?.metadata.namespace).toBe('a');
    expect(roles.role('b', 'two')).toBeUndefined();
  });

  it('come with bindings in order of their names', () => {
    const { store, put } = memoryStore();
    for (const name of ['b', 'a', 'c']) put(RBAC_BUCKETS.clusterRoleBindings, named(name));
    put(RBAC_BUCKETS.roleBindings, named('x', 'a'));
    put(RBAC_BUCKETS.roleBindings, named('y', 'b'));
    const roles = openStoreRoles(store);
    expect(roles.clusterRoleBindings().map(({ metadata }) => metadata.name)).toEqual(['a', 'b', 'c']);
    expect(roles.roleBindings('b').map(({ metadata }) => metadata.name)).toEqual(['y']);
  });

  it.each(Object.values(RBAC_BUCKETS))('have a new version after a write to %s', (bucket) => {
    const { store, put } = memoryStore();
    const roles = openStoreRoles(store);
    const { version } = roles;
    put(bucket, named('x', 'a'));
    expect(roles.version).not.toBe(version);
  });

  it('give the same list until it changes, and leave other namespaces alone', () => {
    const { store, put } = memoryStore();
    put(RBAC_BUCKETS.roleBindings, named('x', 'a'));
    put(RBAC_BUCKETS.roleBindings, named('x', 'b'));
    const roles = openStoreRoles(store);
    const [cluster, inA, inB] = [roles.clusterRoleBindings(), roles.roleBindings('a'), roles.roleBindings('b')];
    put(RBAC_BUCKETS.roleBindings, named('y', 'a'));
    expect(roles.roleBindings('a')).not.toBe(inA);
    expect(roles.roleBindings('a')).toHaveLength(2);
    expect(roles.roleBindings('b')).toBe(inB);
    expect(roles.clusterRoleBindings()).toBe(cluster);
    put(RBAC_BUCKETS.clusterRoleBindings, named('z'));
    expect(roles.clusterRoleBindings()).toHaveLength(1);
  });

  it('do not remember namespaces without bindings', () => {
    const { store, put } = memoryStore();
    const roles = openStoreRoles(store);
    expect(roles.roleBindings('later')).toEqual([]);
    put(RBAC_BUCKETS.roleBindings, named('x', 'later'));
    expect(roles.roleBindings('later')).toHaveLength(1);
  });

  it('are parsed once', () => {
    const { store, put, parses } = memoryStore();
    put(RBAC_BUCKETS.clusterRoles, named('one'));
    const roles = openStoreRoles(store);
    expect(roles.clusterRole('one')).toBe(roles.clusterRole('one'));
    expect(parses()).toBe(1);
  });

  it('are watched until closed', () => {
    const { store, watchers } = memoryStore();
    const roles = openStoreRoles(store);
    expect(watchers()).toBe(4);
    roles.close();
    expect(watchers()).toBe(0);
  });
});
