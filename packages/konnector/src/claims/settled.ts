import { createHash } from 'node:crypto';
import type { UnknownObject } from '@klutch/kube';
import type { Owner } from './copy-marks.ts';
import { contentOf } from './render-copy.ts';

/**
 * What came of the copies that this process wrote. A server may add defaults, and a webhook may change what it is sent;
 * without this memory such a copy would be written again and again.
 */
export interface Settled {
  put(side: Owner, key: string, wanted: UnknownObject, answer: UnknownObject): void;
  forget(side: Owner, key: string): void;
  /** A namespace of a side is no longer looked after. */
  leave(side: Owner, namespace: string): void;
  readonly size: number;
  /** UID of the copy that was written at that place. */
  copyUid(side: Owner, key: string): string | undefined;
  /** Whether the copy has the content that the server made of `wanted`. */
  cameOf(copy: UnknownObject, wanted: UnknownObject): boolean;
}

export function createSettled(): Settled {
  const written = new Map<string, { readonly uid?: string; readonly wanted: string; readonly got: string }>();
  const byUid = new Map<string, string>();

  function forget(place: string): void {
    const uid = written.get(place)?.uid;
    if (uid !== undefined) byUid.delete(uid);
    written.delete(place);
  }

  return {
    forget: (side, key) => forget(`${side} ${key}`),
    leave: (side, namespace) => {
      for (const place of written.keys()) if (place.startsWith(`${side} ${namespace}/`)) forget(place);
    },
    get size() {
      return written.size;
    },
    put: (side, key, wanted, answer) => {
      const place = `${side} ${key}`;
      forget(place);
      const { uid } = answer.metadata;
      written.set(place, { uid, wanted: digest(wanted), got: digest(answer) });
      if (uid !== undefined) byUid.set(uid, place);
    },
    copyUid: (side, key) => written.get(`${side} ${key}`)?.uid,
    cameOf: (copy, wanted) => {
      const entry = written.get(byUid.get(copy.metadata.uid ?? '') ?? '');
      return entry !== undefined && entry.wanted === digest(wanted) && entry.got === digest(copy);
    },
  };
}

/** Kept in memory only. */
function digest(object: UnknownObject): string {
  return createHash('sha256')
    .update(JSON.stringify(ordered(contentOf(object))))
    .digest('base64');
}

/** The same whatever the order in which a server sends fields. */
function ordered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(ordered);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return entries.map(([key, inner]) => [key, ordered(inner)]);
}
