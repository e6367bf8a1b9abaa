import type { BigIntStats } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';

/** A file whose content is kept in memory and read again when the file changes. */
export interface WatchedFile<T> {
  /** What the file holds. Looks at the file at most every ten seconds. */
  current(): Promise<T>;
  /** The next `current` reads the file, whatever is in memory. */
  invalidate(): void;
}

/** How long content is used before the file is looked at again; client-go waits up to a minute with a token file. */
const CHECK_INTERVAL_MS = 10_000;

/**
 * Watches a file by asking for its state when its content is needed, so there is no timer and nothing to stop. Follows
 * symbolic links, which is how Kubernetes swaps the files of a volume at once. `understand` turns text into a value or
 * throws. When a file that was good cannot be read or understood any more, the last good value stays in use until it is
 * invalidated: whoever writes the file may be in the middle of it.
 */
export function watchedFile<T>(path: string, understand: (text: string) => T, now: () => number): WatchedFile<T> {
  let good: Content<T> | undefined;
  let checkedAt = 0;
  // Counts invalidations; content is fresh when it was checked for the latest one.
  let wanted = 1;
  let checked = 0;
  let check: { readonly wanted: number; readonly result: Promise<T> } | undefined;

  async function look(generation: number): Promise<T> {
    const last = generation === checked ? good : undefined;
    try {
      good = await readIfChanged(path, understand, last);
    } catch (error) {
      if (last === undefined) throw error;
      good = last;
    }
    checked = generation;
    checkedAt = now();
    return good.value;
  }

  function isFresh(): boolean {
    const age = now() - checkedAt;
    // A clock that was set back makes the age negative.
    return checked === wanted && age >= 0 && age < CHECK_INTERVAL_MS;
  }

  return {
    current: async () => {
      if (good && isFresh()) return good.value;
      if (check?.wanted !== wanted) check = { wanted, result: look(wanted) };
      const mine = check;
      try {
        return await mine.result;
      } finally {
        if (check === mine) check = undefined;
      }
    },
    invalidate: () => {
      wanted += 1;
    },
  };
}

interface Content<T> {
  readonly value: T;
  readonly version: string;
}

async function readIfChanged<T>(path: string, understand: (text: string) => T, last?: Content<T>): Promise<Content<T>> {
  let version = await versionOf(path);
  if (version === last?.version) return last;
  let text = await readFile(path, 'utf8');
  // The file may change while it is read. Should it never come to rest, the older version makes the next look read again.
  for (let attempt = 0; attempt < 3; attempt += 1) {
    const after = await versionOf(path);
    if (after === version) break;
    version = after;
    text = await readFile(path, 'utf8');
  }
  return { value: understand(text), version };
}

async function versionOf(path: string): Promise<string> {
  const { dev, ino, size, mtimeNs, ctimeNs }: BigIntStats = await stat(path, { bigint: true });
  return [dev, ino, size, mtimeNs, ctimeNs].join(':');
}
