import { isDeepStrictEqual } from 'node:util';
import type { ApiObject, ManagedFieldsEntry } from '../objects/api-object.ts';

/** Whether two states differ in nothing but the times at which fields were taken: such a write is none. */
export function sameContent(a: ApiObject, b: ApiObject): boolean {
  return sameJson(withoutTimes(a), withoutTimes(b));
}

/** Whether everything outside metadata (and status, when that is written on its own) is the same. */
export function sameSpec(a: ApiObject, b: ApiObject, hasStatus: boolean): boolean {
  return isDeepStrictEqual(specOf(a, hasStatus), specOf(b, hasStatus));
}

function withoutTimes(object: ApiObject): object {
  const { managedFields, resourceVersion: _, ...metadata } = object.metadata;
  const owners = (managedFields ?? []).map(({ time: _time, ...entry }: ManagedFieldsEntry) => entry);
  return { ...object, metadata: { ...metadata, owners } };
}

/** Whether two values have the same JSON, in whatever order of fields; a field that is undefined is none. */
function sameJson(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const [fieldsOfA, fieldsOfB] = [definedFields(a), definedFields(b)];
  if (fieldsOfA.length !== fieldsOfB.length) return false;
  return fieldsOfA.every(([key, value]) => Object.hasOwn(b, key) && sameJson(value, (b as Fields)[key]));
}

type Fields = Readonly<Record<string, unknown>>;

function definedFields(value: object): [string, unknown][] {
  return Object.entries(value).filter(([, content]) => content !== undefined);
}

function specOf(object: ApiObject, hasStatus: boolean): object {
  const { metadata: _, apiVersion: _version, status, ...rest } = object;
  return hasStatus ? rest : { ...rest, status };
}
