import type { CustomResourceDefinition } from '@klutch/api';
import { isKubeError, type KubeObject, type ListOptions, type ResourceClient, type ResourceType } from '@klutch/kube';

/** The objects of a CRD, in a version that is served; undefined when none is. */
export function typeOf(crd: CustomResourceDefinition): ResourceType | undefined {
  const { group, names, scope, versions } = crd.spec;
  const version = versions.find(({ served }) => served)?.name;
  if (version === undefined) return undefined;
  return { group, version, plural: names.plural, kind: names.kind, namespaced: scope === 'Namespaced' };
}

/** Which objects are meant. Default: all. */
type Selected = Pick<ListOptions, 'namespace' | 'labelSelector'>;

/**
 * Calls `work` for the metadata of every object, a page at a time and few at once, and returns how many objects there
 * were. An object for which it fails keeps none of the others from their turn; the first failure is thrown at the end.
 */
export async function forEachObject<T extends KubeObject>(
  client: ResourceClient<T>,
  work: (object: T) => Promise<void>,
  { signal, atOnce = 8, ...selection }: Selected & { readonly signal: AbortSignal; readonly atOnce?: number },
): Promise<number> {
  let count = 0;
  const failures: unknown[] = [];
  try {
    for await (const { items } of client.pages({ ...selection, metadataOnly: true, signal })) {
      count += items.length;
      const queue = items.values();
      const worker = async () => {
        for (const object of queue) {
          signal.throwIfAborted();
          await work(object).catch((error: unknown) => failures.push(error));
        }
      };
      await Promise.all(Array.from({ length: atOnce }, worker));
    }
  } catch (error) {
    // The CRD is gone, and its objects with it.
    if (!isKubeError(error, 'KUBE_NOT_FOUND')) throw error;
    return 0;
  }
  if (failures.length > 0) throw failures[0];
  return count;
}
