import {
  type APIServiceBinding,
  apiServiceBindingCrd,
  APIServiceBindings,
  ClusterScopedAPIServiceBindings,
  CustomResourceDefinitions,
  type PermissionClaim,
} from '@klutch/api';
import { isKubeError, type KubeClient, type ResourceType } from '@klutch/kube';
import type { ServedApi } from './konnector-manifests.ts';

/** What a konnector has to serve. */
export interface Served {
  readonly apis: readonly ServedApi[];
  readonly claims: readonly PermissionClaim[];
}

/**
 * How this app cluster keeps bindings: in a namespace, or cluster-scoped where components up to v1.5.0 installed them so.
 * Undefined when it keeps none yet.
 */
export async function bindingType(
  client: KubeClient,
  signal?: AbortSignal,
): Promise<ResourceType<APIServiceBinding> | undefined> {
  const name = apiServiceBindingCrd.metadata.name ?? '';
  const crd = await client.resource(CustomResourceDefinitions).find({ name }, { signal });
  if (crd === undefined) return undefined;
  return crd.spec.scope === 'Cluster' ? ClusterScopedAPIServiceBindings : APIServiceBindings;
}

/** All bindings of an app cluster; none where the CRD of bindings is missing, or goes while they are listed. */
export async function allBindings(client: KubeClient, signal?: AbortSignal): Promise<readonly APIServiceBinding[]> {
  const type = await bindingType(client, signal);
  if (type === undefined) return [];
  const bindings: APIServiceBinding[] = [];
  try {
    for await (const page of client.resource(type).pages({ signal })) bindings.push(...page.items);
    return bindings;
  } catch (error) {
    if (isKubeError(error, 'KUBE_NOT_FOUND')) return [];
    throw error;
  }
}

/** Pure: what a konnector needs rights for, given all bindings, also those that are yet to be made. */
export function servedFor(bindings: readonly Pick<APIServiceBinding, 'metadata' | 'spec'>[]): Served {
  const apis = new Map(bindings.map(({ metadata: { name = '' } }) => [name, apiOf(name)]));
  const claims = bindings.flatMap(({ spec }) => spec?.permissionClaims ?? []);
  return { apis: [...apis.values()], claims: claims.filter(({ state }) => state === 'Accepted') };
}

/** `<plural>.<group>` */
function apiOf(name: string): ServedApi {
  const dot = name.indexOf('.');
  return dot < 0 ? { group: '', plural: name } : { plural: name.slice(0, dot), group: name.slice(dot + 1) };
}
