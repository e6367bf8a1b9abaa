import { annotations, type APIServiceExport, syncVersion } from '@klutch/api';
import { isKubeError, type KubeClient, type KubeObject, type Namespace, type ResourceType } from '@klutch/kube';
import type { Instance } from './decide-deletion.ts';

/** The objects of exported APIs that the app cluster with this cluster namespace has on the control plane. */
export async function findInstances(
  client: KubeClient,
  exports: readonly APIServiceExport[],
  clusterNamespace: string,
  namespaces: Iterable<Namespace>,
  signal: AbortSignal,
): Promise<readonly Instance[]> {
  const own = [...namespaces].filter((namespace) => isServiceNamespaceOf(namespace, clusterNamespace));
  const found: Instance[] = [];
  for (const type of exports.map(typeOf)) {
    const places = type.namespaced ? own.map(({ metadata }) => metadata.name) : [undefined];
    for (const namespace of places) {
      const objects = await listed(client, type, namespace, signal);
      const theirs = type.namespaced ? objects : objects.filter((object) => isOf(object, clusterNamespace));
      found.push(...theirs.map((object) => ({ type, object })));
    }
  }
  return found;
}

async function listed(
  client: KubeClient,
  type: ResourceType<KubeObject>,
  namespace: string | undefined,
  signal: AbortSignal,
): Promise<readonly KubeObject[]> {
  const objects: KubeObject[] = [];
  try {
    const query = { signal, metadataOnly: true, ...(namespace ? { namespace } : {}) };
    for await (const page of client.resource(type).pages(query)) objects.push(...page.items);
  } catch (error) {
    // No longer served: its CRD is gone, and all objects with it.
    if (!isKubeError(error, 'KUBE_NOT_FOUND')) throw error;
  }
  return objects;
}

function typeOf(apiExport: APIServiceExport): ResourceType<KubeObject> {
  const { group, names, scope } = apiExport.spec;
  return {
    group: group ?? '',
    version: syncVersion(apiExport),
    plural: names.plural,
    kind: names.kind,
    namespaced: scope === 'Namespaced',
  };
}

function isServiceNamespaceOf({ metadata }: Namespace, clusterNamespace: string): boolean {
  return metadata.annotations?.[annotations.apiServiceNamespace]?.startsWith(`${clusterNamespace}/`) ?? false;
}

function isOf({ metadata }: KubeObject, clusterNamespace: string): boolean {
  return metadata.annotations?.[annotations.clusterNamespace] === clusterNamespace;
}
