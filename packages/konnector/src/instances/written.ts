import type { Clock, UnknownObject } from '@klutch/kube';

/**
 * The answers to our own writes, kept until the cache has caught up with them: what was just written must not be written
 * again, and what was just created must not be overlooked.
 */
export interface Written {
  put(key: string, answer: UnknownObject): void;
  /** Whether what the watch tells is exactly what was written last, so that whoever wrote it has taken it into account. */
  isEcho(key: string, told: UnknownObject): boolean;
  /** The watch told of the deletion of an object. */
  deleted(key: string, uid: string | undefined): void;
  /** The server, asked just now, does not have this object any more. */
  gone(key: string, uid: string | undefined): void;
  /** A namespace is no longer looked at. */
  leave(namespace: string): void;
  /** The newer of what the cache has and what was written. `isFollowing`: the cache is being kept up to date. */
  newest(key: string, cached: UnknownObject | undefined, isFollowing: boolean): UnknownObject | undefined;
  /** Whether the cache has not caught up with what is known of the key. */
  isAhead(key: string): boolean;
  readonly size: number;
}

/** Milliseconds after which a cache that is kept up to date knows better. */
export const trustMs = 15_000;

export function createWritten(clock: Pick<Clock, 'now'>): Written {
  const answers = new Map<string, { readonly object: UnknownObject; readonly at: number }>();
  const gone = new Map<string, { readonly uid: string; readonly at: number }>();

  /** A cache may show for a moment what is known to be gone. */
  function withoutGone(key: string, cached: UnknownObject | undefined): UnknownObject | undefined {
    const missing = gone.get(key);
    if (missing === undefined) return cached;
    if (missing.uid === cached?.metadata.uid && clock.now() - missing.at < trustMs) return undefined;
    gone.delete(key);
    return cached;
  }

  return {
    put: (key, answer) => void answers.set(key, { object: withoutManagedFields(answer), at: clock.now() }),
    isEcho: (key, { metadata: { uid, resourceVersion, deletionTimestamp } }) => {
      const { metadata } = answers.get(key)?.object ?? {};
      const isSame = resourceVersion !== undefined && metadata?.resourceVersion === resourceVersion;
      if (!isSame || metadata.uid !== uid || deletionTimestamp !== undefined) return false;
      answers.delete(key);
      return true;
    },
    deleted: (key, uid) => {
      if (answers.get(key)?.object.metadata.uid === uid) answers.delete(key);
    },
    gone: (key, uid) => {
      answers.delete(key);
      if (uid !== undefined) gone.set(key, { uid, at: clock.now() });
    },
    leave: (namespace) => {
      const isThere = (key: string) => key.startsWith(`${namespace}/`);
      for (const key of answers.keys()) if (isThere(key)) answers.delete(key);
      for (const key of gone.keys()) if (isThere(key)) gone.delete(key);
    },
    newest: (key, inCache, isFollowing) => {
      const cached = withoutGone(key, inCache);
      const answer = answers.get(key);
      if (answer === undefined) return cached;
      const isTrusted = !isFollowing || clock.now() - answer.at < trustMs;
      if (isTrusted && !(cached && hasCaughtUp(cached, answer.object))) return answer.object;
      answers.delete(key);
      return cached;
    },
    isAhead: (key) => answers.has(key) || gone.has(key),
    get size() {
      return answers.size + gone.size;
    },
  };
}

function hasCaughtUp(cached: UnknownObject, written: UnknownObject): boolean {
  return !isOlder(cached.metadata.resourceVersion, written.metadata.resourceVersion);
}

/** Resource versions are decimal numbers that grow; of others nothing is known, and the cache wins. */
function isOlder(a: string | undefined, b: string | undefined): boolean {
  if (!a || !b || !/^\d+$/.test(a) || !/^\d+$/.test(b)) return false;
  return a.length === b.length ? a < b : a.length < b.length;
}

function withoutManagedFields(object: UnknownObject): UnknownObject {
  if (object.metadata.managedFields === undefined) return object;
  const { managedFields: _, ...metadata } = object.metadata;
  return { ...object, metadata };
}
