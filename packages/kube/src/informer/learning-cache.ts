import { type KubeObject, keyOf, type ObjectRef } from '../objects/meta.ts';
import { Ahead, type Seen } from './ahead.ts';
import { keyOfObject, ObjectCache, type Replacement } from './cache.ts';
import type { Change } from './change.ts';

/** The complete state of a server at a version, told object by object. */
export interface ListedReplacement<T extends KubeObject> extends Pick<Replacement<T>, 'put'> {
  delete(object: T): void;
  done(version: string | undefined): Iterable<Change<T>>;
}

/**
 * An {@link ObjectCache} that learns from the watch and from answers to requests of this process, whichever is first. It never
 * goes back behind an answer, and in the end shows what the watch tells.
 */
export class LearningCache<T extends KubeObject> extends ObjectCache<T> {
  readonly #ahead = new Ahead();

  /** How many objects the watch has not confirmed. */
  get unconfirmed(): number {
    return this.#ahead.size;
  }

  isAhead(key: string): boolean {
    return this.#ahead.has(key);
  }

  /** An answer holds this object. */
  learn(object: T): readonly Change<T>[] {
    return this.#ahead.learn(seenOf(object)) ? this.upsert(object) : [];
  }

  /** An answer said that the object with this UID is gone. */
  learnGone(ref: ObjectRef, uid: string | undefined): readonly Change<T>[] {
    const key = keyOf(ref);
    const [change] = this.lose(key, uid);
    // What the cache does not have, it lost or never heard of; nothing has to be kept away from it.
    if (change === undefined) return [];
    // It was deleted after that version; an answer that is newer is about another object under its name.
    this.#ahead.gone({ key, uid, version: change.object.metadata.resourceVersion });
    return [change];
  }

  /** The watch tells of an object. */
  told(type: 'ADDED' | 'MODIFIED' | 'DELETED', object: T): readonly Change<T>[] {
    if (type !== 'DELETED') return this.#ahead.changed(seenOf(object)) ? this.upsert(object) : [];
    this.#ahead.deleted(seenOf(object));
    return this.remove(object);
  }

  /** A list begins, or a watch that tells the whole state first. */
  replacing(): ListedReplacement<T> {
    const next = this.replace();
    const endListing = this.#ahead.listing();
    return {
      put: next.put,
      delete: ({ metadata }) => next.delete(keyOfObject(metadata)),
      done: (version) => {
        for (const { key, isGone } of endListing({ version, uidOf: next.uidOf })) {
          const known = isGone ? undefined : this.getByKey(key);
          if (known) next.put(known);
          else next.delete(key);
        }
        return next.done();
      },
    };
  }
}

function seenOf({ metadata }: KubeObject): Seen {
  return { key: keyOfObject(metadata), uid: metadata.uid, version: metadata.resourceVersion };
}
