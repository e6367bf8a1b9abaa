import { keyRange, SortedEntries, type KeyRange } from './sorted-entries.ts';
import type { Entry, StoredEvent } from './types.ts';

/** The objects of one resource type. */
export class Bucket {
  readonly #entries = new SortedEntries();
  readonly #namespaces = new Map<string, number>();

  get(key: string): Entry | undefined {
    return this.#entries.get(key);
  }

  put(entry: Entry): void {
    const before = this.#entries.size;
    this.#entries.set(entry);
    this.#recount(entry.key, this.#entries.size - before);
  }

  remove(key: string): void {
    const before = this.#entries.size;
    this.#entries.delete(key);
    this.#recount(key, this.#entries.size - before);
  }

  count(namespace?: string): number {
    return namespace === undefined ? this.#entries.size : (this.#namespaces.get(namespace) ?? 0);
  }

  scan(range: KeyRange): Entry[] {
    return this.#entries.scan(range);
  }

  /** All entries as they were before the given events, the latest of the bucket, oldest first. */
  allBefore(events: readonly StoredEvent[]): Entry[] {
    return this.scanBefore(keyRange(undefined), events);
  }

  /** {@link scan} of the state before the given events, the latest of the bucket, oldest first. */
  scanBefore(range: KeyRange, events: readonly StoredEvent[]): Entry[] {
    if (events.length === 0) return this.scan(range);
    const former = new Map<string, Entry | undefined>();
    for (const { entry, previous } of events) if (!former.has(entry.key)) former.set(entry.key, previous);

    const { prefix, after, limit = Number.POSITIVE_INFINITY } = range;
    // Each changed key hides at most one of today's entries.
    const today = this.#entries.scan({ prefix, after, limit: limit + former.size });
    const unchanged = today.filter(({ key }) => !former.has(key));
    const restored = [...former.values()]
      .filter((entry) => entry !== undefined)
      .filter(({ key }) => key.startsWith(prefix) && (after === undefined || key > after));
    return mergeByKey(unchanged, restored, limit);
  }

  #recount(key: string, difference: number): void {
    if (difference === 0) return;
    const namespace = key.slice(0, key.indexOf('/'));
    const count = (this.#namespaces.get(namespace) ?? 0) + difference;
    if (count === 0) this.#namespaces.delete(namespace);
    else this.#namespaces.set(namespace, count);
  }
}

/** Merges entries in key order with others in any order. */
function mergeByKey(sorted: readonly Entry[], others: Entry[], limit: number): Entry[] {
  others.sort((a, b) => (a.key < b.key ? -1 : 1));
  const merged: Entry[] = [];
  let next = 0;
  for (const entry of sorted) {
    for (let other = others[next]; other && other.key < entry.key; other = others[next]) {
      merged.push(other);
      next += 1;
    }
    merged.push(entry);
    if (merged.length >= limit) return merged.slice(0, limit);
  }
  merged.push(...others.slice(next));
  return merged.slice(0, limit);
}
