import { noSuchPath } from '../status/status-error.ts';
import { apiVersionOf, type ServedResource } from './served-resource.ts';

/** The resource types that are served at this moment: built-in ones, and those of established CRDs. */
export interface Registry {
  /** Throws the 404 of Kubernetes when nothing is served there. */
  require(group: string, version: string, resource: string): ServedResource;
  find(group: string, version: string, resource: string): ServedResource | undefined;
  forKind(apiVersion: string, kind: string): ServedResource | undefined;
  all(): readonly ServedResource[];
  /** All types of a bucket are replaced: those of one CRD. An empty list removes it. */
  replace(bucket: string, resources: readonly ServedResource[]): void;
  /** Grows with every change; answers computed from the registry can be kept as long as it stays. */
  readonly generation: number;
}

export function createRegistry(builtIn: readonly ServedResource[]): Registry {
  const byBucket = new Map<string, readonly ServedResource[]>();
  let byPath = new Map<string, ServedResource>();
  let byKind = new Map<string, ServedResource>();
  let generation = 0;

  function rebuild(): void {
    const all = [...byBucket.values()].flat();
    byPath = new Map(all.map((served) => [pathOf(served.group, served.version, served.resource), served]));
    byKind = new Map(all.map((served) => [`${apiVersionOf(served)} ${served.kind}`, served]));
    generation += 1;
  }

  for (const served of builtIn) byBucket.set(served.bucket, [...(byBucket.get(served.bucket) ?? []), served]);
  rebuild();

  const find = (group: string, version: string, resource: string) => byPath.get(pathOf(group, version, resource));
  return {
    find,
    require: (group, version, resource) => {
      const served = find(group, version, resource);
      if (!served) throw noSuchPath();
      return served;
    },
    forKind: (apiVersion, kind) => byKind.get(`${apiVersion} ${kind}`),
    all: () => [...byPath.values()],
    replace: (bucket, resources) => {
      if (resources.length === 0) byBucket.delete(bucket);
      else byBucket.set(bucket, resources);
      rebuild();
    },
    get generation() {
      return generation;
    },
  };
}

function pathOf(group: string, version: string, resource: string): string {
  return `${group}/${version}/${resource}`;
}
