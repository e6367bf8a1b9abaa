import { viewObject } from './stored-view.ts';
import type { Call, World } from './call.ts';
import { deleteObject, type DeletionOptions } from './delete.ts';
import type { ApiObject } from '../objects/api-object.ts';
import type { Entry } from '../storage/types.ts';
import { StatusError } from '../status/status-error.ts';

/** Deletes all given objects; returns them as they were. An object that goes meanwhile is no failure. */
export async function deleteCollection(
  world: World,
  call: Call,
  entries: readonly Entry[],
  options: DeletionOptions,
): Promise<readonly ApiObject[]> {
  const deleted: ApiObject[] = [];
  const { enforce } = world;
  // Policies see the request, which names no object.
  const asOne: World = {
    ...world,
    enforce: enforce && ((one, change) => enforce({ ...one, name: '', namespace: call.namespace }, change)),
  };
  for (const entry of entries) {
    const { name = '', namespace } = entry.object().metadata;
    try {
      await deleteObject(asOne, { ...call, name, namespace }, options);
      deleted.push(viewObject(entry, call.resource));
    } catch (error) {
      if (!(error instanceof StatusError) || error.code !== 404) throw error;
    }
  }
  return deleted;
}
