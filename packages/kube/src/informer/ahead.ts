import { compareVersions } from './change.ts';

/** What identifies a state of an object. */
export interface Seen {
  readonly key: string;
  readonly uid: string | undefined;
  readonly version: string | undefined;
}

/** Something that an answer of the server said before the watch does. */
type Note = Seen & { readonly isGone: boolean };

/** A complete list. */
export interface Listed {
  readonly version: string | undefined;
  /** UID of the object that it has under a key. */
  uidOf(key: string): string | undefined;
}

/**
 * Keeps account of what is known of objects ahead of the watch: from the answers to own writes and reads. Each entry leaves
 * when the watch, or a list that was begun after it, has caught up.
 */
export class Ahead {
  readonly #notes = new Map<string, Note>();
  /** Up to which version everything has been delivered. */
  #delivered: string | undefined;

  get size(): number {
    return this.#notes.size;
  }

  has(key: string): boolean {
    return this.#notes.has(key);
  }

  /** An answer holds this object. True when that is news. Versions that cannot be compared never are. */
  learn(seen: Seen): boolean {
    if (compareVersions(seen.version, this.#delivered ?? '0') !== 'newer') return false;
    const note = this.#notes.get(seen.key);
    if (note?.isGone && note.uid === seen.uid) return false;
    if (note && compareVersions(seen.version, note.version) !== 'newer') return false;
    this.#notes.set(seen.key, { ...seen, isGone: false });
    return true;
  }

  /** An answer said that this object, which is what is known under its key, exists no more. `seen` is its last known state. */
  gone(seen: Seen): void {
    this.#notes.set(seen.key, { ...seen, isGone: true });
  }

  /** The watch tells of an object as it was added or changed. False when more is known than that. */
  changed(seen: Seen): boolean {
    this.#delivered = seen.version ?? this.#delivered;
    const note = this.#notes.get(seen.key);
    if (note === undefined) return true;
    if (compareVersions(seen.version, note.version) === 'older') return false;
    if (note.isGone && note.uid === seen.uid) return false;
    this.#notes.delete(seen.key);
    return true;
  }

  /** The watch tells of a deletion. */
  deleted(seen: Seen): void {
    this.#delivered = seen.version ?? this.#delivered;
    if (this.#notes.get(seen.key)?.uid === seen.uid) this.#notes.delete(seen.key);
  }

  /**
   * A list begins. The result is called when it is complete, and answers with what is still ahead of it. A list shows at least
   * what was there when it began: if that is less than was known then, the server was restored.
   */
  listing(): (list: Listed) => readonly Note[] {
    const before = new Set(this.#notes.values());
    return (list) => {
      this.#delivered = list.version;
      for (const note of this.#notes.values()) {
        if (before.has(note) || !isAheadOf(list, note)) this.#notes.delete(note.key);
      }
      return [...this.#notes.values()];
    };
  }
}

function isAheadOf(list: Listed, note: Note): boolean {
  if (compareVersions(note.version, list.version) === 'newer') return true;
  // The version of a deletion is not known; a list that could have the object, and has it not, is newer than that.
  return note.isGone && list.uidOf(note.key) === note.uid;
}
