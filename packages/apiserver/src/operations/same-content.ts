import { isDeepStrictEqual } from 'node:util';
import type { ApiObject, ManagedFieldsEntry } from '../objects/api-object.ts';

/** Whether two states differ in nothing but the times at which fields were taken: such a write is none. */
export function sameContent(a: ApiObject, b: ApiObject): boolean {
  return isDeepStrictEqual(withoutTimes(a), withoutTimes(b));
}

/** Whether everything outside metadata (and status, when that is written on its own) is the same. */
export function sameSpec(a: ApiObject, b: ApiObject, hasStatus: boolean): boolean {
  return isDeepStrictEqual(specOf(a, hasStatus), specOf(b, hasStatus));
}

function withoutTimes(object: ApiObject): object {
  const { managedFields, resourceVersion: _, ...metadata } = object.metadata;
  const owners = (managedFields ?? []).map(({ time: _time, ...entry }: ManagedFieldsEntry) => entry);
  return JSON.parse(JSON.stringify({ ...object, metadata: { ...metadata, owners } })) as object;
}

function specOf(object: ApiObject, hasStatus: boolean): object {
  const { metadata: _, apiVersion: _version, status, ...rest } = object;
  return hasStatus ? rest : { ...rest, status };
}
