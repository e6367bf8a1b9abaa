import type { Registry } from '../../registry/registry.ts';
import { apiVersionOf, type ServedResource } from '../../registry/served-resource.ts';

/** The resource types that have objects, each in one version however many are served. */
export interface StoredTypes {
  all(): readonly ServedResource[];
  inBucket(bucket: string): ServedResource | undefined;
}

/** The stored types of a registry as they are whenever somebody asks: in the version of storage where that is served. */
export function storedTypes(registry: Registry): StoredTypes {
  let generation = -1;
  let byBucket = new Map<string, ServedResource>();
  const current = (): ReadonlyMap<string, ServedResource> => {
    if (generation !== registry.generation) {
      byBucket = chooseVersions(registry.all());
      generation = registry.generation;
    }
    return byBucket;
  };
  return { all: () => [...current().values()], inBucket: (bucket) => current().get(bucket) };
}

function chooseVersions(types: readonly ServedResource[]): Map<string, ServedResource> {
  const chosen = new Map<string, ServedResource>();
  for (const type of types) {
    if (!type.verbs.includes('delete')) continue;
    const isStorage = apiVersionOf(type) === type.storageApiVersion;
    if (isStorage || !chosen.has(type.bucket)) chosen.set(type.bucket, type);
  }
  return chosen;
}
