import { apiName, type APIServiceExport, type CustomResourceDefinition, type ExportedApi } from '@klutch/api';
import { isKubeError, type KubeClient, type ResourceType } from '@klutch/kube';

/** Names some of the objects of these types in a namespace, such as `Widget w1`; none when there are none. */
export async function objectsLeft(
  client: KubeClient,
  types: readonly ResourceType[],
  namespace: string,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const found: string[] = [];
  for (const type of types) {
    if (found.length >= enough) break;
    const names = await firstNames(client, type, namespace, signal);
    found.push(...names.map((name) => `${type.kind} ${name}`));
  }
  return found.slice(0, enough);
}

/** Types of which objects may lie in a service namespace, each once: what is exported, and what is offered. */
export function typesToLookFor(
  exports: readonly APIServiceExport[],
  crds: readonly CustomResourceDefinition[],
): readonly ResourceType[] {
  // What the control plane serves now comes last, and counts.
  const types = [...exports, ...crds].flatMap(({ spec }) => typeOf(spec) ?? []);
  return [...new Map(types.map((type) => [apiName({ group: type.group, resource: type.plural }), type])).values()];
}

async function firstNames(
  client: KubeClient,
  type: ResourceType,
  namespace: string,
  signal: AbortSignal,
): Promise<readonly string[]> {
  try {
    const page = await client.resource(type).list({ namespace, limit: enough, metadataOnly: true, signal });
    return page.items.map(({ metadata }) => metadata.name ?? '');
  } catch (error) {
    // No longer served: its CRD is gone, and all objects with it.
    if (isKubeError(error, 'KUBE_NOT_FOUND')) return [];
    throw error;
  }
}

/** Undefined for what cannot lie in a namespace, or cannot be read. */
function typeOf({
  group,
  names,
  scope,
  versions,
}: ExportedApi | CustomResourceDefinition['spec']): ResourceType | undefined {
  const version = versions.find(({ served }) => served)?.name;
  if (scope !== 'Namespaced' || version === undefined) return undefined;
  return { group, version, plural: names.plural, kind: names.kind, namespaced: true };
}

/** More names would not help anybody. */
const enough = 3;
