import type { ApiObject } from '../objects/api-object.ts';
import type { ServedResource } from '../registry/served-resource.ts';
import { internalError } from '../status/status-error.ts';
import type { Entry } from '../storage/types.ts';
import type { Call, World } from './call.ts';
import { storedForm } from './stored-form.ts';
import { isCurrent } from './stored-view.ts';

/** Stores an object where there is none yet. */
export function storeNew(world: World, call: Call, key: string, object: ApiObject): Promise<Entry> {
  return store(world, call.resource, key, object, 0);
}

/** Stores the next state of an object. */
export function storeNext(world: World, call: Call, entry: Entry, object: ApiObject): Promise<Entry> {
  return store(world, call.resource, entry.key, object, entry.revision);
}

/** Removes an object. */
export async function storeNothing(world: World, { resource }: Call, { key, revision }: Entry): Promise<void> {
  const removed = world.store.commit({ bucket: resource.bucket, key, object: undefined, expected: revision });
  if (!removed) throw changedMeanwhile();
  await removed;
}

async function store(
  { store: objects }: World,
  resource: ServedResource,
  key: string,
  object: ApiObject,
  expected: number,
): Promise<Entry> {
  const stored = storedForm(object, resource);
  const written = objects.commit({ bucket: resource.bucket, key, object: stored, expected });
  if (!written) throw changedMeanwhile();
  const entry = await written;
  isCurrent(entry, resource);
  return entry;
}

/** Nothing waits between reading and writing, so nobody can have written in between. */
function changedMeanwhile(): Error {
  return internalError('the object changed while it was being written');
}
