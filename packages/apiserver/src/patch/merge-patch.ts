import type { Json, JsonObject } from '../objects/api-object.ts';
import { badRequest } from '../status/status-error.ts';
import { goJsonKind } from './go-text.ts';
import type { PatchDecoding } from './json-patch.ts';
import { copyJson, isObject, ownValue, setValue } from './json-value.ts';

/**
 * The document after a JSON merge patch (RFC 7386); the input stays as it is. As in Kubernetes, nulls inside objects of
 * a list go away too, unless the list takes the place of an object. Throws a 400 for what is no patch.
 */
export function applyMergePatch(document: JsonObject, patch: Json, options: PatchDecoding = {}): Json {
  if (isObject(patch)) return mergeObjects(document, patch);
  if (options.lenient && Array.isArray(patch)) return withoutNulls(patch);
  if (options.lenient || patch === null) throw badRequest('Invalid JSON Patch');
  throw badRequest(
    `error decoding patch: json: cannot unmarshal ${goJsonKind(patch)} into Go value of type map[string]interface {}`,
  );
}

function mergeObjects(current: JsonObject, patch: JsonObject): JsonObject {
  const merged: JsonObject = {};
  for (const key of Object.keys(current)) {
    if (!Object.hasOwn(patch, key)) setValue(merged, key, copyJson(current[key] as Json));
    else if (patch[key] !== null) setValue(merged, key, mergeValue(current[key] as Json, patch[key] as Json));
  }
  for (const key of Object.keys(patch)) {
    if (ownValue(current, key) === undefined && patch[key] !== null) {
      setValue(merged, key, withoutNulls(patch[key] as Json));
    }
  }
  return merged;
}

function mergeValue(current: Json, patch: Json): Json {
  if (!isObject(current)) return withoutNulls(patch);
  return isObject(patch) ? mergeObjects(current, patch) : copyJson(patch);
}

/** A copy without null fields; nulls that are items of a list stay. */
function withoutNulls(value: Json): Json {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(withoutNulls);
  const copy: JsonObject = {};
  for (const key of Object.keys(value)) {
    if (value[key] !== null) setValue(copy, key, withoutNulls(value[key] as Json));
  }
  return copy;
}
