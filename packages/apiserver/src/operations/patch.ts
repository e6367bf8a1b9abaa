import type { ApiObject, Json, JsonObject } from '../objects/api-object.ts';
import { isTooDeep } from './depth.ts';
import { applyJsonPatch, applyMergePatch, applyStrategicMergePatch, unknownFieldsOfJsonPatch } from '../patch/index.ts';
import { keyOf } from '../registry/served-resource.ts';
import { badRequest, notFound } from '../status/status-error.ts';
import type { ObjectCall, Result, World } from './call.ts';
import { type Body, decodeObject } from './decode-object.ts';
import { requireName } from './identity.ts';
import { viewObject } from './stored-view.ts';
import { trackedBy } from './tracked.ts';
import { refusedPatch } from './refused-body.ts';
import { writeUpdate } from './write-update.ts';

export type PatchType = 'json' | 'merge' | 'strategic';

/** Changes an object by a patch that is no server-side apply. */
export async function patch(world: World, call: ObjectCall, type: PatchType, body: Body): Promise<Result> {
  const { resource, name, namespace } = call;
  const entry = world.store.get(resource.bucket, keyOf(resource.namespaced ? namespace : undefined, name));
  if (!entry) throw notFound(resource, name);
  const old = viewObject(entry, resource);
  const patched = patchedBy(type, old, body.value, call);
  const wanted = readPatched(world, call, type, body, patched);
  requireName(wanted, call);
  return writeUpdate(world, call, {
    entry,
    old,
    wanted,
    track: trackedBy(world, call, old),
  });
}

function patchedBy(type: PatchType, old: ApiObject, value: Json, { resource, fieldValidation }: ObjectCall): Json {
  const document = old as unknown as JsonObject;
  const options = { lenient: fieldValidation === 'Ignore' };
  switch (type) {
    case 'json':
      return requireShallow(applyJsonPatch(document, value, options));
    case 'merge':
      return applyMergePatch(document, value, options);
    case 'strategic':
      return applyStrategicMergePatch(document, value, resource.schema?.source ?? {});
  }
}

/** Patches that are shallow themselves can put one thing into another again and again. */
function requireShallow(patched: Json): Json {
  if (isTooDeep(patched)) throw badRequest('error decoding patch: the outcome exceeded max depth');
  return patched;
}

/** Problems with the outcome are problems of the patch. */
function readPatched(world: World, call: ObjectCall, type: PatchType, body: Body, patched: Json): ApiObject {
  try {
    const unknown = type === 'json' ? unknownFieldsOfJsonPatch(body.value) : [];
    return decodeObject({ value: patched, duplicates: [...body.duplicates, ...unknown] }, call, world.registry);
  } catch (error) {
    throw refusedPatch(error, patched);
  }
}
