import { binderRoleName, controlPlane as names, labels } from '@klutch/api';
import {
  type CallOptions,
  type KubeClient,
  keyOf,
  type ObjectMeta,
  type OwnerReference,
  type ResourceClient,
} from '@klutch/kube';
import { excusing } from '../objects/excusing.ts';
import { ClusterRoleBindings, rbacGroup, type RoleBinding, RoleBindings } from '../objects/rbac.ts';

/** Who gets the rights of Role `klutch-binder`, and where. */
export interface RoleGrant {
  /** Cluster namespace of the app cluster whose account gets the rights. */
  readonly clusterNamespace: string;
  /** Namespace in which it gets them. */
  readonly namespace: string;
}

export interface EnsureOptions extends CallOptions {
  /** The binding as a cache has it. Nothing is asked or written when it is as desired. */
  readonly seen?: RoleBinding;
}

/**
 * Makes RoleBinding `klutch-binder` of a namespace give the Role of that name to the app cluster, and to nobody else. A
 * binding to another role, such as a Go backend makes, is replaced, since that cannot be changed. Only for namespaces that
 * belong to the app cluster.
 */
export async function ensureRoleBinding(
  client: KubeClient,
  { namespace, clusterNamespace }: RoleGrant,
  options: EnsureOptions = {},
): Promise<void> {
  const roleRef = { apiGroup: rbacGroup, kind: 'Role', name: names.binder };
  const desired = bindingOf('RoleBinding', { name: names.binder, namespace }, clusterNamespace, roleRef);
  await ensureBinding(client.resource(RoleBindings), desired, options);
}

/** Makes the rights of an app cluster count in all namespaces. Only where the scope of consumers is the cluster. */
export async function ensureClusterRoleBinding(
  client: KubeClient,
  { clusterNamespace, owner }: { readonly clusterNamespace: string; readonly owner: OwnerReference },
  options: EnsureOptions = {},
): Promise<void> {
  const role = binderRoleName(clusterNamespace);
  const metadata = { name: role, labels: { [labels.clusterNamespace]: clusterNamespace }, ownerReferences: [owner] };
  const roleRef = { apiGroup: rbacGroup, kind: 'ClusterRole', name: role };
  const desired = bindingOf('ClusterRoleBinding', metadata, clusterNamespace, roleRef);
  await ensureBinding(client.resource(ClusterRoleBindings), desired, options);
}

/** Whether a binding gives rights of app clusters in all namespaces, as earlier backends made them. */
export function isStray({ metadata, subjects = [], roleRef }: RoleBinding): boolean {
  if (!metadata.name?.startsWith(binderRoleName(''))) return false;
  const isForBinder = subjects.some(({ kind, name }) => kind === 'ServiceAccount' && name === names.binder);
  return isForBinder || roleRef.name.startsWith(names.binder);
}

function bindingOf(
  kind: 'RoleBinding' | 'ClusterRoleBinding',
  metadata: ObjectMeta,
  clusterNamespace: string,
  roleRef: RoleBinding['roleRef'],
): RoleBinding {
  const subjects = [{ kind: 'ServiceAccount', name: names.binder, namespace: clusterNamespace }];
  return { apiVersion: `${rbacGroup}/v1`, kind, metadata, subjects, roleRef };
}

/** Makes a binding give exactly this, whatever it gave before. */
export async function ensureBinding(
  bindings: ResourceClient<RoleBinding>,
  desired: RoleBinding,
  { seen, signal, timeoutMs }: EnsureOptions,
): Promise<void> {
  const call = { signal, timeoutMs };
  if (seen && isSameGrant(seen, desired)) return;
  const ref = { name: desired.metadata.name ?? '', namespace: desired.metadata.namespace };
  for (let tries = 0; tries < 5; tries += 1) {
    const found = await bindings.find(ref, call);
    if (!found) {
      if (await excusing(bindings.create(desired, call), 'KUBE_ALREADY_EXISTS')) return;
      continue;
    }
    if (isSameGrant(found, desired)) return;
    const { uid, resourceVersion } = found.metadata;
    if (isSameRole(found, desired)) {
      const patch = { metadata: { uid, resourceVersion }, subjects: desired.subjects };
      const patched = bindings.patch(ref, { type: 'merge', patch }, call);
      if (await excusing(patched, 'KUBE_CONFLICT', 'KUBE_NOT_FOUND')) return;
      continue;
    }
    await excusing(bindings.delete(ref, { ...call, preconditions: { uid } }), 'KUBE_CONFLICT', 'KUBE_NOT_FOUND');
  }
  throw new Error(`${desired.kind} ${keyOf(ref)} changes faster than it can be corrected.`);
}

function isSameGrant(a: RoleBinding, b: RoleBinding): boolean {
  return isSameRole(a, b) && JSON.stringify(plain(a)) === JSON.stringify(plain(b));
}

function isSameRole({ roleRef: a }: RoleBinding, { roleRef: b }: RoleBinding): boolean {
  return a.kind === b.kind && a.name === b.name;
}

function plain({ subjects = [] }: RoleBinding): unknown {
  return subjects.map(({ kind, name, namespace }) => [kind, name, namespace]);
}
