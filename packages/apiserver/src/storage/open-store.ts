import { Bucket } from './bucket.ts';
import type { HistoryLimit } from './history.ts';
import { FileJournal } from './journal/file-journal.ts';
import { type FolderLock, lockFolder } from './journal/folder-lock.ts';
import { type Journal, memoryJournal, REVISIONS_PER_CRASH } from './journal/journal.ts';
import type { OpenFile } from './journal/log-file.ts';
import { recover, type Recovered } from './journal/recover.ts';
import { ObjectStore } from './object-store.ts';
import { problemOf, StorageError } from './storage-error.ts';
import type { Store } from './types.ts';

/** How a store is to be. */
export interface OpenStoreOptions {
  /** Folder that keeps the objects; it is created if need be and belongs to this store until closed. Default: memory only. */
  readonly dir?: string;
  /** How many past events are kept for watches and paged lists. */
  readonly historyLimit?: HistoryLimit;
  /** Whether a write also waits for the disk, so that not even a power cut loses it. Default false. */
  readonly fsync?: boolean;
  /** The log is not replaced by a snapshot before it has this many bytes. Default 32 Mi. */
  readonly snapshotAfterBytes?: number;
  /** Told of problems with files: a snapshot for which there is no room, writes that fail. Default: nobody. */
  readonly onProblem?: (error: StorageError) => void;
  /** Told when writes are safe again after some have failed: what clients read before may have been undone. Default: nobody. */
  readonly onRecovery?: () => void;
  /** How long after a write that failed the next is tried. Default 1000. */
  readonly retryAfterMs?: number;
  /** Opens logs, for tests with a disk that fails. Default: that of Node. */
  readonly openFile?: OpenFile;
}

/** The first revision; lists of an empty store have it, and 0 means something else to clients. */
const FIRST_REVISION = 1;

/**
 * Opens a store. Throws a `StorageError` when the folder cannot be used, is in use, or holds damaged files; what a crash
 * left half-written is not damage.
 */
export async function openStore(options: OpenStoreOptions = {}): Promise<Store> {
  const { dir, historyLimit } = options;
  if (dir === undefined) {
    const store = new ObjectStore({ buckets: new Map(), revision: FIRST_REVISION, historyLimit });
    store.attach(memoryJournal(store));
    return store;
  }
  const lock = await lockFolder(dir);
  try {
    return await openLocked(dir, options, lock);
  } catch (error) {
    await lock.release();
    if (error instanceof StorageError) throw error;
    const message = `the files in ${dir} cannot be read: ${problemOf(error)}`;
    throw new StorageError('KLUTCH_STORE_UNUSABLE', message, { cause: error });
  }
}

async function openLocked(dir: string, options: OpenStoreOptions, lock: FolderLock): Promise<Store> {
  const buckets = new Map<string, Bucket>();
  const recovered = await recover(dir, recipientFor(buckets));
  const revision = nextRevision(recovered);
  const { historyLimit, onRecovery } = options;
  const store = new ObjectStore({ buckets, revision, historyLimit, onRecovery });
  const { fsync = false, snapshotAfterBytes = 32 * 1024 * 1024, onProblem = () => undefined } = options;
  const { retryAfterMs = 1000, openFile } = options;
  const files = { dir, fsync, snapshotAfterBytes, onProblem, retryAfterMs, openFile };
  const journal = await FileJournal.open(files, store, recovered, revision);
  store.attach(releasing(journal, lock));
  return store;
}

function nextRevision({ revision, closedInOrder }: Recovered): number {
  return Math.max(FIRST_REVISION, closedInOrder ? revision : revision + REVISIONS_PER_CRASH);
}

function recipientFor(buckets: Map<string, Bucket>) {
  return {
    put(entry: Parameters<Bucket['put']>[0]) {
      const bucket = buckets.get(entry.bucket) ?? new Bucket();
      buckets.set(entry.bucket, bucket);
      bucket.put(entry);
    },
    remove(name: string, key: string) {
      buckets.get(name)?.remove(key);
    },
  };
}

function releasing(journal: Journal, lock: FolderLock): Journal {
  return {
    append: (event) => journal.append(event),
    async close() {
      try {
        await journal.close();
      } finally {
        await lock.release();
      }
    },
  };
}
