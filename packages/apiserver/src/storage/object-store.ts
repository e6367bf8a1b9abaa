import { expired } from '../status/status-error.ts';
import { Bucket } from './bucket.ts';
import { History, type HistoryLimit } from './history.ts';
import type { Journal, JournalOwner, State } from './journal/journal.ts';
import { keyRange } from './sorted-entries.ts';
import { requireStorableSize } from './size-limit.ts';
import { StorageError } from './storage-error.ts';
import { entryAtRevision, entryOf } from './stored-entry.ts';
import { Subscriptions } from './subscriptions.ts';
import type { Entry, ScanOptions, Store, StoredEvent, Write } from './types.ts';

/** A write that is not safe yet, and who waits for it. */
interface Unsafe {
  readonly event: StoredEvent;
  /** Those who read it and wait until what they read is safe. */
  readonly followers: { readonly resolve: () => void; readonly reject: (error: StorageError) => void }[];
  readonly resolve: (entry: Entry) => void;
  readonly reject: (error: StorageError) => void;
}

export interface ObjectStoreOptions {
  readonly buckets: Map<string, Bucket>;
  /** Where to start counting. */
  readonly revision: number;
  readonly historyLimit?: HistoryLimit;
  readonly onRecovery?: () => void;
}

/** A {@link Store} in memory whose writes a journal keeps safe. */
export class ObjectStore implements Store, JournalOwner {
  readonly #buckets: Map<string, Bucket>;
  readonly #history: History;
  readonly #subscriptions = new Subscriptions();
  readonly #onRecovery: () => void;
  #journal: Journal | undefined;
  #revision: number;
  #durableRevision: number;
  #unsafe: Unsafe[] = [];
  #refusal: StorageError | undefined;
  #closing: Promise<void> | undefined;

  constructor({ buckets, revision, historyLimit, onRecovery = () => undefined }: ObjectStoreOptions) {
    this.#onRecovery = onRecovery;
    this.#buckets = buckets;
    this.#history = new History(revision, historyLimit);
    this.#revision = revision;
    this.#durableRevision = revision;
  }

  /** Must be called once, before the first write. */
  attach(journal: Journal): void {
    this.#journal = journal;
  }

  get revision(): number {
    return this.#revision;
  }

  get durableRevision(): number {
    return this.#durableRevision;
  }

  get problem(): StorageError | undefined {
    return this.#refusal;
  }

  get oldestRevision(): number {
    return this.#history.oldestRevision;
  }

  get(bucket: string, key: string): Entry | undefined {
    return this.#buckets.get(bucket)?.get(key);
  }

  scan(bucket: string, { namespace, after, limit, atRevision }: ScanOptions = {}): readonly Entry[] {
    const range = keyRange(namespace, after, limit);
    const found = this.#buckets.get(bucket) ?? new Bucket();
    if (atRevision === undefined || atRevision >= this.#revision) return found.scan(range);
    if (atRevision < this.oldestRevision) throw expired('The resourceVersion for the provided list is too old.');
    return found.scanBefore(range, this.#history.after(bucket, atRevision));
  }

  count(bucket: string, namespace?: string): number {
    return this.#buckets.get(bucket)?.count(namespace) ?? 0;
  }

  commit(write: Write): Promise<Entry> | undefined {
    if (this.#refusal) return Promise.reject(this.#refusal);
    const previous = this.get(write.bucket, write.key);
    if (write.expected !== undefined && write.expected !== (previous?.revision ?? 0)) return undefined;
    const event = eventFor(write, previous, this.#revision + 1);
    if (!event) return undefined;

    this.#revision = event.revision;
    this.#apply(event);
    this.#history.append(event);
    const safe = new Promise<Entry>((resolve, reject) => this.#unsafe.push({ event, followers: [], resolve, reject }));
    this.#journal?.append(event);
    return safe;
  }

  durable(revision: number): Promise<void> {
    if (revision <= this.#durableRevision) return Promise.resolve();
    const write = this.#unsafe.find(({ event }) => event.revision >= revision);
    if (!write) return Promise.reject(this.#refusal ?? new Error(`revision ${revision} is still to come`));
    return new Promise((resolve, reject) => write.followers.push({ resolve, reject }));
  }

  watch(bucket: string, fromRevision: number, listener: (event: StoredEvent) => void): () => void {
    if (fromRevision < this.oldestRevision) {
      throw expired(`too old resource version: ${fromRevision} (${this.oldestRevision})`);
    }
    const past = this.#history.after(bucket, fromRevision).filter(({ revision }) => revision <= this.#durableRevision);
    return this.#subscriptions.add(bucket, Math.max(fromRevision, this.#durableRevision), past, listener);
  }

  compact(revision: number): void {
    this.#history.forget(Math.min(revision, this.#durableRevision));
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  onDurable(revision: number): void {
    const firstUnsafe = this.#unsafe.findIndex(({ event }) => event.revision > revision);
    const safe = this.#unsafe.splice(0, firstUnsafe === -1 ? this.#unsafe.length : firstUnsafe);
    this.#durableRevision = revision;
    for (const { event, followers, resolve } of safe) {
      this.#subscriptions.deliver(event);
      resolve(event.entry);
      for (const follower of followers) follower.resolve();
    }
    this.#history.trim(revision);
  }

  /** What was not safe is undone, so that nobody reads what a restart would not bring back. */
  onFailure(error: StorageError): void {
    this.#refusal = error;
    const refused = this.#unsafe;
    this.#unsafe = [];
    let undone = this.#history.takeNewest(this.#durableRevision);
    while (undone) {
      this.#undo(undone);
      undone = this.#history.takeNewest(this.#durableRevision);
    }
    this.#revision = this.#durableRevision;
    for (const { reject, followers } of refused)
      for (const waiting of [{ reject }, ...followers]) waiting.reject(error);
  }

  onRecovery(revision: number): void {
    this.#revision = revision;
    this.#durableRevision = revision;
    // Somebody may have read what was undone, and must not go on from there.
    this.#history.forget(revision);
    if (!this.#closing) this.#refusal = undefined;
    this.#onRecovery();
  }

  capture(): State {
    const revision = this.#durableRevision;
    const entries = [...this.#buckets].flatMap(([name, bucket]) =>
      bucket.allBefore(this.#history.after(name, revision)),
    );
    return { revision, entries };
  }

  async #close(): Promise<void> {
    this.#refusal ??= new StorageError('KLUTCH_STORE_CLOSED', 'the store is closed');
    await this.#journal?.close();
    this.#subscriptions.clear();
  }

  #apply({ type, entry }: StoredEvent): void {
    const bucket = this.#buckets.get(entry.bucket) ?? new Bucket();
    this.#buckets.set(entry.bucket, bucket);
    if (type === 'DELETED') bucket.remove(entry.key);
    else bucket.put(entry);
  }

  #undo({ entry, previous, revision }: StoredEvent): void {
    if (previous) this.#apply({ type: 'MODIFIED', entry: previous, previous: entry, revision });
    else this.#apply({ type: 'DELETED', entry, previous: entry, revision });
  }
}

function eventFor(write: Write, previous: Entry | undefined, revision: number): StoredEvent | undefined {
  const { bucket, key, object } = write;
  if (object) {
    const entry = entryOf(bucket, key, revision, object);
    requireStorableSize(entry.json);
    return { type: previous ? 'MODIFIED' : 'ADDED', revision, entry, previous };
  }
  if (!previous) return undefined;
  return { type: 'DELETED', revision, entry: entryAtRevision(previous, revision), previous };
}
