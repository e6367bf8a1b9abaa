import type { KubeObject } from '../objects/meta.ts';

/** What happened to an object, as seen by a cache. */
export type Change<T extends KubeObject> =
  | { readonly type: 'added'; readonly key: string; readonly object: T }
  | { readonly type: 'updated'; readonly key: string; readonly object: T; readonly old: T }
  | {
      readonly type: 'deleted';
      readonly key: string;
      readonly object: T;
      /** The deletion happened while nobody watched: `object` is the last state known, not the last state there was. */
      readonly lastKnown?: true;
    };

/**
 * Orders two resource versions of the same object. Kubernetes promises decimal numbers that grow; of anything else only
 * equality is known.
 */
export function compareVersions(a: string | undefined, b: string | undefined): 'newer' | 'same' | 'older' | 'unknown' {
  if (a === b) return 'same';
  if (!a || !b || !isNumber(a) || !isNumber(b)) return 'unknown';
  if (a.length !== b.length) return a.length > b.length ? 'newer' : 'older';
  return a > b ? 'newer' : 'older';
}

function isNumber(version: string): boolean {
  return /^(0|[1-9]\d*)$/.test(version);
}
