import type { Entry } from './types.ts';

/** A part of the key space: keys that start with `prefix` and are greater than `after`. */
export interface KeyRange {
  readonly prefix: string;
  readonly after?: string;
  readonly limit?: number;
}

/** The range for a namespace, or for all keys. */
export function keyRange(namespace: string | undefined, after?: string, limit?: number): KeyRange {
  return { prefix: namespace === undefined ? '' : `${namespace}/`, after, limit };
}

/** Entries by key, in key order. Short sorted runs keep inserting cheap at any size. */
export class SortedEntries {
  static readonly RUN_LENGTH = 512;

  readonly #runs: Entry[][] = [];
  #size = 0;

  get size(): number {
    return this.#size;
  }

  get(key: string): Entry | undefined {
    const run = this.#runs[this.#runFor(key)];
    if (!run) return undefined;
    const entry = run[firstAtLeast(run, key)];
    return entry?.key === key ? entry : undefined;
  }

  /** Puts an entry in the place of the one with the same key, if there is one. */
  set(entry: Entry): void {
    if (this.#runs.length === 0) this.#runs.push([]);
    const at = this.#runFor(entry.key);
    const run = this.#runs[at] ?? [];
    const index = firstAtLeast(run, entry.key);
    if (run[index]?.key === entry.key) {
      run[index] = entry;
      return;
    }
    run.splice(index, 0, entry);
    this.#size += 1;
    if (run.length > SortedEntries.RUN_LENGTH) this.#runs.splice(at + 1, 0, run.splice(run.length >> 1));
  }

  delete(key: string): void {
    const at = this.#runFor(key);
    const run = this.#runs[at];
    if (!run) return;
    const index = firstAtLeast(run, key);
    if (run[index]?.key !== key) return;
    run.splice(index, 1);
    this.#size -= 1;
    if (run.length === 0) this.#runs.splice(at, 1);
  }

  /** The entries of a range, in key order. */
  scan({ prefix, after, limit = Number.POSITIVE_INFINITY }: KeyRange): Entry[] {
    const found: Entry[] = [];
    const start = after !== undefined && after >= prefix ? after : prefix;
    for (let at = this.#runFor(start); at < this.#runs.length && found.length < limit; at += 1) {
      const run = this.#runs[at] ?? [];
      let index = firstAtLeast(run, start);
      if (run[index]?.key === after) index += 1;
      const isRunInside = run.at(-1)?.key.startsWith(prefix) ?? false;
      const end = Math.min(run.length, index + limit - found.length);
      for (; index < end; index += 1) {
        const entry = run[index];
        if (!entry || (!isRunInside && !entry.key.startsWith(prefix))) return found;
        found.push(entry);
      }
    }
    return found;
  }

  /** The last run that does not start after the key: where it is or belongs. */
  #runFor(key: string): number {
    let low = 0;
    let high = this.#runs.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      const first = this.#runs[middle]?.[0];
      if (first && first.key <= key) low = middle;
      else high = middle - 1;
    }
    return low;
  }
}

function firstAtLeast(run: readonly Entry[], key: string): number {
  let low = 0;
  let high = run.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const entry = run[middle];
    if (entry && entry.key < key) low = middle + 1;
    else high = middle;
  }
  return low;
}
