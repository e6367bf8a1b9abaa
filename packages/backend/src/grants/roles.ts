import { binderRoleName, labels } from '@klutch/api';
import type { CallOptions, KubeClient, Namespace, OwnerReference, ResourceClient } from '@klutch/kube';
import { excusing } from '../objects/excusing.ts';
import { ClusterRoles, rbacGroup, type Role, Roles, type Rule } from '../objects/rbac.ts';

export interface EnsureRoleOptions extends CallOptions {
  /** The role as a cache has it. Nothing is asked or written when it is as desired. */
  readonly seen?: Role;
}

/**
 * Makes a Role of a namespace have exactly these rules. Returns the rules it had before; undefined when it was as desired.
 * Fails with `KUBE_FORBIDDEN` when the backend lacks what it has to hand out.
 */
export async function ensureRole(
  client: KubeClient,
  { name, namespace, rules }: { readonly name: string; readonly namespace: string; readonly rules: readonly Rule[] },
  options: EnsureRoleOptions = {},
): Promise<readonly Rule[] | undefined> {
  const desired = { apiVersion: `${rbacGroup}/v1`, kind: 'Role', metadata: { name, namespace }, rules };
  return ensure(client.resource(Roles), desired, options);
}

/** The same for the ClusterRole of an app cluster, which goes with the cluster namespace. Only where the scope of consumers is the cluster. */
export async function ensureClusterRole(
  client: KubeClient,
  { namespace, rules }: { readonly namespace: Namespace; readonly rules: readonly Rule[] },
  options: EnsureRoleOptions = {},
): Promise<readonly Rule[] | undefined> {
  const name = namespace.metadata.name ?? '';
  const metadata = {
    name: binderRoleName(name),
    labels: { [labels.clusterNamespace]: name },
    ownerReferences: [namespaceOwner(namespace)],
  };
  const desired = { apiVersion: `${rbacGroup}/v1`, kind: 'ClusterRole', metadata, rules };
  return ensure(client.resource(ClusterRoles), desired, options);
}

/** What is cluster-scoped and belongs to an app cluster is owned by its cluster namespace. */
export function namespaceOwner({ metadata: { name = '', uid = '' } }: Namespace): OwnerReference {
  return { apiVersion: 'v1', kind: 'Namespace', name, uid, controller: true };
}

async function ensure(
  roles: ResourceClient<Role>,
  desired: Role,
  { seen, signal, timeoutMs }: EnsureRoleOptions,
): Promise<readonly Rule[] | undefined> {
  if (seen && isAsDesired(seen, desired)) return undefined;
  const call = { signal, timeoutMs };
  const ref = { name: desired.metadata.name ?? '', namespace: desired.metadata.namespace };
  const existing = await roles.find(ref, call);
  const found = existing ?? (await created());
  if (isAsDesired(found, desired)) return existing ? undefined : [];
  const { labels, ownerReferences } = desired.metadata;
  const patch = { metadata: { uid: found.metadata.uid, labels, ownerReferences }, rules: desired.rules };
  await roles.patch(ref, { type: 'merge', patch }, call);
  return found.rules ?? [];

  async function created(): Promise<Role> {
    return (await excusing(roles.create(desired, call), 'KUBE_ALREADY_EXISTS')) ?? roles.get(ref, call);
  }
}

function isAsDesired(role: Role, { metadata: { labels = {}, ownerReferences = [] }, rules }: Role): boolean {
  const owners = role.metadata.ownerReferences ?? [];
  return (
    JSON.stringify(plain(role.rules)) === JSON.stringify(plain(rules)) &&
    Object.entries(labels).every(([key, value]) => role.metadata.labels?.[key] === value) &&
    ownerReferences.every(({ uid }) => owners.some((owner) => owner.uid === uid))
  );
}

/** The server says null for no rules. */
function plain(rules: readonly Rule[] | null | undefined): unknown {
  return (rules ?? []).map(({ apiGroups, resources, verbs, resourceNames = [], ...rest }) => [
    apiGroups,
    resources,
    verbs,
    resourceNames,
    rest,
  ]);
}
