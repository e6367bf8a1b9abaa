import { apiVersionOf, type ServedResource } from '../../registry/served-resource.ts';
import type { Store } from '../../storage/types.ts';
import { removeEntries } from '../caller/remove-entries.ts';
import type { SystemCaller } from '../caller/system-caller.ts';
import type { Remains } from './conditions.ts';

/**
 * Deletes everything in a namespace and tells what is left because finalizers hold it. As in Kubernetes, pods go first:
 * while there are any, they may need the rest.
 */
export async function emptyNamespace(
  store: Store,
  caller: SystemCaller,
  types: readonly ServedResource[],
  namespace: string,
): Promise<Remains> {
  const namespaced = types.filter((type) => type.namespaced);
  const pods = namespaced.filter(isPods);
  const failures = await removeAll(pods);
  const withPods = remainsOf(store, pods, namespace);
  if (withPods.objects.size > 0 || failures.length > 0) return { ...withPods, failures };
  failures.push(...(await removeAll(namespaced.filter((type) => !isPods(type)))));
  return { ...remainsOf(store, namespaced, namespace), failures };

  async function removeAll(these: readonly ServedResource[]): Promise<string[]> {
    const problems: string[] = [];
    for (const type of these) {
      // Finalizers of the garbage collector would only delay what is about to happen to dependents anyway.
      const options = { propagation: 'Background' } as const;
      try {
        await removeEntries(caller, type, store.scan(type.bucket, { namespace }), options);
      } catch (error) {
        problems.push(error instanceof Error ? error.message : String(error));
      }
    }
    return problems;
  }
}

/** How many objects there are in a namespace; cheap. */
export function countContents(store: Store, types: readonly ServedResource[], namespace: string): number {
  return types.reduce((sum, { namespaced, bucket }) => sum + (namespaced ? store.count(bucket, namespace) : 0), 0);
}

function isPods(type: ServedResource): boolean {
  return type.resource === 'pods' && apiVersionOf(type) === 'v1';
}

function remainsOf(store: Store, types: readonly ServedResource[], namespace: string): Omit<Remains, 'failures'> {
  const objects = new Map<string, number>();
  const finalizers = new Map<string, number>();
  for (const { bucket, resource, group } of types) {
    const left = store.scan(bucket, { namespace });
    if (left.length > 0) objects.set(`${resource}.${group}`, left.length);
    for (const finalizer of left.flatMap((entry) => entry.object().metadata.finalizers ?? [])) {
      finalizers.set(finalizer, (finalizers.get(finalizer) ?? 0) + 1);
    }
  }
  return { objects, finalizers };
}
