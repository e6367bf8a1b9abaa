import { annotations } from '@klutch/api';
import type { Instance, JsonObject, Tenant } from '@klutch/catalog';
import {
  isKubeError,
  type KubeClient,
  type Namespace,
  Namespaces,
  type ResourceType,
  type UnknownObject,
} from '@klutch/kube';

/** All claims of a type with the tenants that they belong to; none when the control plane does not know the type. */
export async function instancesOf(
  client: KubeClient,
  type: ResourceType,
  tenants: ReadonlyMap<string, Tenant>,
  signal: AbortSignal,
): Promise<readonly Instance[]> {
  const claims: UnknownObject[] = [];
  try {
    for await (const page of client.resource(type).pages({ signal })) claims.push(...page.items);
  } catch (error) {
    if (!isKubeError(error, 'KUBE_NOT_FOUND')) throw error;
  }
  return claims.map((claim) => {
    const tenant = tenants.get(claim.metadata.namespace ?? '');
    // Items of a list do not say what they are.
    const whole = { ...claim, apiVersion: `${type.group}/${type.version}`, kind: type.kind };
    return { claim: whole as object as JsonObject, ...(tenant ? { tenant } : {}) };
  });
}

/** Whose the namespaces of a control plane are, by their names. */
export async function tenantsByNamespace(
  client: KubeClient,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, Tenant>> {
  const namespaces: Namespace[] = [];
  for await (const page of client.resource(Namespaces).pages({ metadataOnly: true, signal }))
    namespaces.push(...page.items);
  return tenantsIn(namespaces);
}

/** Pure: a namespace with claims is made for a namespace of an app cluster, for which a cluster namespace stands. */
export function tenantsIn(namespaces: readonly Namespace[]): ReadonlyMap<string, Tenant> {
  const byName = new Map(namespaces.map((namespace) => [namespace.metadata.name ?? '', namespace]));
  return new Map(
    namespaces.flatMap(({ metadata }) => {
      const [clusterNamespace] = metadata.annotations?.[annotations.apiServiceNamespace]?.split('/') ?? [];
      if (clusterNamespace === undefined) return [];
      const notes = byName.get(clusterNamespace)?.metadata.annotations ?? {};
      const identity = notes[annotations.tenantIdentity] ?? notes[annotations.identity];
      const name = notes[annotations.tenantName] ?? clusterNamespace;
      return [[metadata.name ?? '', { name, clusterNamespace, ...(identity ? { identity } : {}) }] as const];
    }),
  );
}
