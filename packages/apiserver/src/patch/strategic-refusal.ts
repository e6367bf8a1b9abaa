import type { Json, JsonObject } from '../objects/api-object.ts';
import { StatusError } from '../status/status-error.ts';
import { goText, goType } from './go-text.ts';
import { isObject } from './json-value.ts';

/** A strategic merge patch Kubernetes cannot work with; it answers such mistakes of the client with 500. */
export function refused(message: string): StatusError {
  return new StatusError(500, '', message);
}

export function noMergeKey(item: JsonObject, mergeKey: string): StatusError {
  return refused(`map: ${goText(item)} does not contain declared merge key: ${mergeKey}`);
}

/** The value as a list; refuses anything else. */
export function asList(value: Json): Json[] {
  if (Array.isArray(value)) return value;
  throw refused(`expected a []interface {}, but received a ${goType(value)}`);
}

/** The value as an object; refuses anything else. */
export function asMap(value: Json): JsonObject {
  if (isObject(value)) return value;
  throw refused(`expected a map[string]interface {}, but received a ${goType(value)}`);
}
