import { type CustomResourceDefinition } from '@klutch/api';
import { isKubeError, type KubeClient, type ResourceType } from '@klutch/kube';

/** `<namespace>/<name>` of all objects of an API in the app cluster, in order. */
export async function objectsOf(
  client: KubeClient,
  crd: CustomResourceDefinition | undefined,
  signal?: AbortSignal,
): Promise<readonly string[]> {
  if (crd === undefined) return [];
  const found: string[] = [];
  try {
    for await (const page of client.resource(typeOf(crd)).pages({ metadataOnly: true, signal })) {
      found.push(
        ...page.items.map(({ metadata: { namespace, name = '' } }) => [namespace, name].filter(Boolean).join('/')),
      );
    }
  } catch (error) {
    // It went while we looked.
    if (!isKubeError(error, 'KUBE_NOT_FOUND')) throw error;
  }
  return found.sort();
}

function typeOf({ spec: { group, names, scope, versions } }: CustomResourceDefinition): ResourceType {
  const version = versions.find(({ storage }) => storage) ?? versions[0];
  return {
    group,
    version: version?.name ?? '',
    plural: names.plural,
    kind: names.kind,
    namespaced: scope === 'Namespaced',
  };
}
