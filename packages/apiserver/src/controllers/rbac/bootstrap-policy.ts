import {
  BOOTSTRAP_POLICY,
  type ClusterRoleBinding,
  type PolicyChange,
  RBAC_BUCKETS,
  RBAC_GROUP,
  reconcilePolicy,
} from '../../authz/index.ts';
import type { ApiObject } from '../../objects/api-object.ts';
import type { World } from '../../operations/call.ts';
import { keyOf } from '../../registry/served-resource.ts';
import { ifThere } from '../caller/expected-failure.ts';
import { API_SERVER, createSystemCaller, placeOf } from '../caller/system-caller.ts';

/** Writes the roles and bindings that every cluster has, as far as they are missing or lack something. */
export async function ensureBootstrapPolicy(world: World): Promise<void> {
  const { store, registry } = world;
  const caller = createSystemCaller(world, API_SERVER);
  const find = (bucket: string, name: string) => store.get(bucket, keyOf(undefined, name))?.object();

  async function write({ operation, object }: PolicyChange): Promise<void> {
    const isRole = object.kind === 'ClusterRole';
    const type = registry.require(RBAC_GROUP, 'v1', isRole ? 'clusterroles' : 'clusterrolebindings');
    const wanted = object as unknown as ApiObject;
    if (operation === 'recreate') await ifThere(caller.remove(type, placeOf(wanted)));
    await (operation === 'update' ? caller.replace(type, wanted) : caller.create(type, wanted));
  }

  const changes = reconcilePolicy(BOOTSTRAP_POLICY, {
    clusterRole: (name) => find(RBAC_BUCKETS.clusterRoles, name),
    clusterRoleBinding: (name) =>
      find(RBAC_BUCKETS.clusterRoleBindings, name) as unknown as ClusterRoleBinding | undefined,
  });
  await Promise.all(changes.map(write));
}
