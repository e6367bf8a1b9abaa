import type { ApiObject, Json, JsonObject, ManagedFieldsEntry } from '../objects/api-object.ts';

/** An object as plain JSON without its managedFields; shares everything deeper with it. */
export function content(object: ApiObject): Json {
  const plain = withoutUndefined(object as unknown as JsonObject);
  const metadata = withoutUndefined(object.metadata as unknown as JsonObject);
  delete metadata.managedFields;
  return { ...plain, metadata };
}

/** A shallow copy of the object with other managedFields. */
export function withManagedFields(object: ApiObject, managedFields: ManagedFieldsEntry[] | undefined): ApiObject {
  const { managedFields: _, ...metadata } = object.metadata;
  return { ...object, metadata: managedFields === undefined ? metadata : { ...metadata, managedFields } };
}

/** Optional fields of objects may hold undefined, which JSON does not have. */
function withoutUndefined(fields: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}
