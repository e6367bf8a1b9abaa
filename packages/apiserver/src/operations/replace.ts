import { keyOf, registryPath } from '../registry/served-resource.ts';
import { conflict, invalid, notFound } from '../status/status-error.ts';
import type { ApiObject } from '../objects/api-object.ts';
import type { ObjectCall, Result, World } from './call.ts';
import { createSent } from './create.ts';
import { type Body, decodeObject } from './decode-object.ts';
import { requireName } from './identity.ts';
import { viewObject } from './stored-view.ts';
import { trackedBy } from './tracked.ts';
import { writeUpdate } from './write-update.ts';

/** Replaces an object, or its status, by what the client sent (PUT). */
export async function replace(world: World, call: ObjectCall, body: Body): Promise<Result> {
  const { resource, name, namespace } = call;
  const wanted = decodeObject(body, call, world.registry);
  requireName(wanted, call);
  const entry = world.store.get(resource.bucket, keyOf(resource.namespaced ? namespace : undefined, name));
  if (!entry) return createByReplacement(world, call, wanted);
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
    track: trackedBy(world, call, old),
  });
}

/** Some kinds come into being by their first replacement, for clients that need not know whether they are there. */
async function createByReplacement(world: World, call: ObjectCall, wanted: ApiObject): Promise<Result> {
  const { resource, name } = call;
  if (!resource.strategy.createOnUpdate || call.subresource !== undefined) throw notFound(resource, name);
  requireSameUid(call, wanted, undefined);
  world.admitCreation?.(call);
  // The version of an object that is not there cannot be a stale one.
  delete wanted.metadata.resourceVersion;
  return createSent(world, call, wanted);
}

/** The uid of a replacement says which object it replaces, and it is the storage that looks. */
function requireSameUid(
  { resource, name, namespace }: ObjectCall,
  wanted: ApiObject,
  old: ApiObject | undefined,
): void {
  const { uid } = wanted.metadata;
  const { uid: found = '' } = old?.metadata ?? {};
  if (!uid || uid === found) return;
  const key = registryPath(resource, namespace, name);
  const failed = `Precondition failed: UID in precondition: ${uid}, UID in object meta: ${found}`;
  const problem = `StorageError: invalid object, Code: 4, Key: ${key}, ResourceVersion: 0, AdditionalErrorMsg: ${failed}`;
  throw conflict(resource, name, problem);
}
