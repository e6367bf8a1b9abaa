import { binderRoleName, controlPlane as names, labels } from '@klutch/api';
import { type CallOptions, type KubeClient, type Namespace, type OwnerReference } from '@klutch/kube';
import { excusing } from '../objects/excusing.ts';
import { ClusterRoles, rbacGroup, type Role, type Rule } from '../objects/rbac.ts';
import { binderRules } from './binder-rules.ts';

export interface EnsureRoleOptions extends CallOptions {
  /** The role as a cache has it. Nothing is asked or written when it is as wanted. */
  readonly seen?: Role;
}

/** Makes ClusterRole `klutch-binder` say what every app cluster may do in its cluster namespace. */
export async function ensureBinderRole(client: KubeClient, options: EnsureRoleOptions = {}): Promise<void> {
  await ensure(client, { metadata: { name: names.binder }, rules: binderRules }, options);
}

/**
 * Makes the ClusterRole of an app cluster say exactly this. It goes with the cluster namespace. Resolves with the rules
 * before when it was written, and with undefined when nothing had to be.
 */
export async function ensureTenantRole(
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
  return await ensure(client, { metadata, rules }, options);
}

/** What is cluster-scoped and belongs to an app cluster is owned by its cluster namespace. */
export function namespaceOwner({ metadata: { name = '', uid = '' } }: Namespace): OwnerReference {
  return { apiVersion: 'v1', kind: 'Namespace', name, uid, controller: true };
}

type Wanted = Pick<Role, 'metadata' | 'rules'>;

async function ensure(
  client: KubeClient,
  wanted: Wanted,
  { seen, signal, timeoutMs }: EnsureRoleOptions,
): Promise<readonly Rule[] | undefined> {
  if (seen && isAsWanted(seen, wanted)) return undefined;
  const call = { signal, timeoutMs };
  const roles = client.resource(ClusterRoles);
  const ref = { name: wanted.metadata.name ?? '' };
  const existing = await roles.find(ref, call);
  const found = existing ?? (await created());
  if (isAsWanted(found, wanted)) return existing ? undefined : [];
  const { labels, ownerReferences } = wanted.metadata;
  const patch = { metadata: { uid: found.metadata.uid, labels, ownerReferences }, rules: wanted.rules };
  await roles.patch(ref, { type: 'merge', patch }, call);
  return found.rules ?? [];

  async function created(): Promise<Role> {
    const role = { apiVersion: `${rbacGroup}/v1`, kind: 'ClusterRole', ...wanted };
    return (await excusing(roles.create(role, call), 'KUBE_ALREADY_EXISTS')) ?? roles.get(ref, call);
  }
}

function isAsWanted(role: Role, { metadata: { labels = {}, ownerReferences = [] }, rules }: Wanted): boolean {
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
