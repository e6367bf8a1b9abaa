import type { ApiObject } from '../objects/api-object.ts';
import type { StorageError } from './storage-error.ts';

/** A stored object. Its JSON text is kept, not its parsed form: lists and watches send text, and text is half the memory. */
export interface Entry {
  /** Storage name of the resource type: `group/plural`, `/plural` for core. */
  readonly bucket: string;
  /** `namespace/name`, or `/name` for cluster-scoped objects: sorts namespaces together. */
  readonly key: string;
  /** Revision at which this state was written; equals `metadata.resourceVersion` in `json`. */
  readonly revision: number;
  readonly json: string;
  /** Labels, for selectors without parsing. */
  readonly labels: Readonly<Record<string, string>> | undefined;
  /** A fresh copy that the caller may change. */
  object(): ApiObject;
}

export interface StoredEvent {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly revision: number;
  /** State after the event; for DELETED the last state, with the revision of the deletion in `json`. */
  readonly entry: Entry;
  /** State before the event; watches with selectors need it to tell leaving from changing. */
  readonly previous: Entry | undefined;
}

export interface ScanOptions {
  /** Only keys of this namespace. */
  readonly namespace?: string;
  /** Only keys greater than this one. */
  readonly after?: string;
  readonly limit?: number;
  /** State as of an earlier revision; throws `expired` when its history is gone. */
  readonly atRevision?: number;
}

export type Write =
  | {
      readonly bucket: string;
      readonly key: string;
      readonly object: ApiObject;
      /** Revision the current state must have; 0: must not exist. Absent: whatever. */
      readonly expected?: number;
    }
  | { readonly bucket: string; readonly key: string; readonly object: undefined; readonly expected?: number };

/**
 * Objects, their history, and who watches them. Revisions are one counter for all buckets, as in etcd. Reads and the
 * effect of a write on memory are synchronous, so that read-decide-write needs no lock.
 */
export interface Store {
  /** Revision of the latest write. */
  readonly revision: number;
  /** Revision of the latest write that is safe from a crash: watchers have heard of everything up to it. */
  readonly durableRevision: number;
  /** Why writes are refused at the moment; undefined while they are not. */
  readonly problem: StorageError | undefined;
  /** Oldest revision from which a watch or a paged list can go on. */
  readonly oldestRevision: number;
  get(bucket: string, key: string): Entry | undefined;
  /** Entries in key order. */
  scan(bucket: string, options?: ScanOptions): readonly Entry[];
  count(bucket: string, namespace?: string): number;
  /**
   * Writes an object (its `metadata.resourceVersion` is set by the store) or deletes it. Memory changes at once; the
   * promise resolves when the write is safe from a crash of the process, and watchers hear of it then.
   * Returns undefined at once, changing nothing, when `expected` does not match or there is nothing to delete.
   * Throws a `StatusError` for an object that is larger than etcd would store, changing nothing.
   * Rejects when the write could not be made safe; memory then is back at what was safe, and the store refuses writes
   * until the disk takes them again.
   */
  commit(write: Write): Promise<Entry> | undefined;
  /**
   * Resolves when everything up to the revision is safe from a crash, for those who answer with what somebody else has
   * just written. Rejects when that could not be made safe.
   */
  durable(revision: number): Promise<void>;
  /**
   * Delivers every event of a bucket after `fromRevision` in order, never before it returns. Throws `expired` when
   * history since then is gone. Returns a function that ends it, also from within the listener.
   */
  watch(bucket: string, fromRevision: number, listener: (event: StoredEvent) => void): () => void;
  /** Forgets history up to the revision; entries stay. */
  compact(revision: number): void;
  close(): Promise<void>;
}
