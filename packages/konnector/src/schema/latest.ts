import type { KubeObject } from '@klutch/kube';

/** Objects as they were read or written last, for as long as a cache lags behind. */
export interface Latest<T extends KubeObject> {
  /** Takes in what a server answered; undefined when it said that there is no such object. */
  learn(name: string, object: T | undefined): void;
  /** The newer of what the cache has and what was learnt. `lags` while the cache has something older, or nothing. */
  of(name: string, cached: T | undefined): { readonly object: T | undefined; readonly lags: boolean };
}

export function createLatest<T extends KubeObject>(): Latest<T> {
  const learnt = new Map<string, T>();
  return {
    learn: (name, object) => {
      if (object) learnt.set(name, object);
      else learnt.delete(name);
    },
    of: (name, cached) => {
      const known = learnt.get(name);
      if (known === undefined) return { object: cached, lags: false };
      if (cached === undefined || isOlder(cached, known)) return { object: known, lags: true };
      learnt.delete(name);
      return { object: cached, lags: false };
    },
  };
}

/** Versions are numbers that grow across all objects of a type; where they are not numbers, the cache counts as current. */
function isOlder(cached: KubeObject, known: KubeObject): boolean {
  return Number(cached.metadata.resourceVersion) < Number(known.metadata.resourceVersion);
}
