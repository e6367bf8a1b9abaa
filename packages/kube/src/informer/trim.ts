import type { KubeObject } from '../objects/meta.ts';

/** Drops `managedFields`, which can be as large as the object itself and which no controller reads from a cache. */
export function withoutManagedFields<T extends KubeObject>(object: T): T {
  if (object.metadata.managedFields === undefined) return object;
  const { managedFields: _, ...metadata } = object.metadata;
  return { ...object, metadata };
}
