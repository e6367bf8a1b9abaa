import { trackUpdate } from '../apply/track-update.ts';
import { keyOf, registryPath } from '../registry/served-resource.ts';
import { conflict, invalid, notFound } from '../status/status-error.ts';
import type { ApiObject } from '../objects/api-object.ts';
import type { ObjectCall, Result, World } from './call.ts';
import { type Body, decodeObject } from './decode-object.ts';
import { requireName } from './identity.ts';
import { viewObject } from './stored-view.ts';
import { writeUpdate } from './write-update.ts';

/** Replaces an object, or its status, by what the client sent (PUT). */
export async function replace(world: World, call: ObjectCall, body: Body): Promise<Result> {
  const { resource, name, namespace } = call;
  const wanted = decodeObject(body, call, world.registry);
  requireName(wanted, call);
  const entry = world.store.get(resource.bucket, keyOf(resource.namespaced ? namespace : undefined, name));
  if (!entry) throw notFound(resource, name);
  const old = viewObject(entry, resource);
  requireSameUid(call, wanted, old);
  if (!wanted.metadata.resourceVersion && !resource.strategy.unconditionalUpdate) {
    const message = 'Invalid value: 0: must be specified for an update';
    // It is the storage that says so, which knows resources but no kinds.
    throw invalid(resource.group, resource.resource, name, [
      { reason: 'FieldValueInvalid', field: 'metadata.resourceVersion', message },
    ]);
  }
  return writeUpdate(world, call, {
    entry,
    old,
    wanted,
    madeOf: body.bytes?.length ?? 0,
    track: (updated) =>
      trackUpdate({
        scope: resource.ownership(call.subresource),
        live: old,
        updated,
        manager: call.fieldManager,
        now: world.now(),
      }),
  });
}

/** The uid of a replacement says which object it replaces, and it is the storage that looks. */
function requireSameUid({ resource, name, namespace }: ObjectCall, wanted: ApiObject, old: ApiObject): void {
  const { uid } = wanted.metadata;
  if (!uid || uid === old.metadata.uid) return;
  const key = registryPath(resource, namespace, name);
  const failed = `Precondition failed: UID in precondition: ${uid}, UID in object meta: ${old.metadata.uid}`;
  const problem = `StorageError: invalid object, Code: 4, Key: ${key}, ResourceVersion: 0, AdditionalErrorMsg: ${failed}`;
  throw conflict(resource, name, problem);
}
