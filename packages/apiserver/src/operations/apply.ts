import { applyPatch } from '../apply/apply-patch.ts';
import { conflictError } from '../apply/conflict-error.ts';
import { readMetadata } from '../metadata/read-metadata.ts';
import type { ApiObject } from '../objects/api-object.ts';
import { keyOf } from '../registry/served-resource.ts';
import { conflict, notFound } from '../status/status-error.ts';
import { createObject } from './create.ts';
import type { ObjectCall, Result, World } from './call.ts';
import { type Body, decodeObject, reportUnknown } from './decode-object.ts';
import { requireName } from './identity.ts';
import { viewObject } from './stored-view.ts';
import { UnreadableObject } from '../status/unreadable-object.ts';
import { writeUpdate } from './write-update.ts';

/** Server-side apply: creates the object, or changes just the fields that the manager owns or takes. */
export async function apply(world: World, call: ObjectCall, body: Body, force: boolean): Promise<Result> {
  const { resource, name, namespace } = call;
  const entry = world.store.get(resource.bucket, keyOf(resource.namespaced ? namespace : undefined, name));
  if (!entry && call.subresource !== undefined) throw notFound(resource, name);
  const live = entry && viewObject(entry, resource);
  const result = applyPatch({
    scope: resource.ownership(call.subresource),
    live,
    applied: body.value,
    manager: call.fieldManager,
    force,
    now: world.now(),
  });
  if ('conflicts' in result) throw conflictError(result.conflicts);
  const { managedFields } = result.object.metadata;
  const wanted = readMerged(world, call, body, result.object);
  requireName(wanted, call);
  // Defaults and system fields come after the merge and belong to nobody.
  const track = (object: ApiObject): ApiObject => ({ ...object, metadata: { ...object.metadata, managedFields } });
  if (entry && live) return writeUpdate(world, call, { entry, old: live, wanted, track });
  requireNoUid(wanted, call);
  world.admitCreation?.(call);
  // The version of an object that is not there cannot be a stale one.
  delete wanted.metadata.resourceVersion;
  return createObject(world, call, { object: wanted, track });
}

/** Custom resources stay as they were merged: nulls, which a decoder would drop, are for validation to refuse. */
function readMerged(world: World, call: ObjectCall, { duplicates }: Body, merged: ApiObject): ApiObject {
  if (call.resource.builtIn) return decodeObject({ value: merged as never, duplicates }, call, world.registry);
  reportUnknown([], duplicates, call);
  const read = readMetadata(merged.metadata, undefined);
  if ('problem' in read) throw new UnreadableObject(call.resource, read.problem);
  return { ...merged, metadata: read.metadata };
}

function requireNoUid({ metadata: { uid } }: ApiObject, { resource, name }: ObjectCall): void {
  if (!uid) return;
  const problem = `uid mismatch: the provided object specified uid ${uid}, and no existing object was found`;
  throw conflict(resource, name, problem);
}
