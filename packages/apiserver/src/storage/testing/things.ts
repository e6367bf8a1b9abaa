import { copyFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';

import type { ApiObject } from '../../objects/api-object.ts';
import { openStore, type OpenStoreOptions } from '../open-store.ts';
import type { StorageError } from '../storage-error.ts';
import type { Entry, Store } from '../types.ts';
import { scratchFolder } from './scratch-folder.ts';

export const BUCKET = 'example.org/things';

/** Generation of the log of a new folder. */
export const FIRST_LOG = 1;

/** An object of the bucket. */
export function thing(name: string, value: unknown, labels?: Record<string, string>): ApiObject {
  const metadata = { name, namespace: 'n', ...(labels ? { labels } : {}) };
  return { apiVersion: 'example.org/v1', kind: 'Thing', metadata, value };
}

/** Writes a thing and waits until it is safe. */
export async function put(
  store: Store,
  name: string,
  value: unknown = name,
  labels?: Record<string, string>,
): Promise<Entry | undefined> {
  return await store.commit({ bucket: BUCKET, key: `n/${name}`, object: thing(name, value, labels) });
}

/** Opens a folder, does something, and closes it in order. */
export async function using<T>(
  dir: string,
  action: (store: Store) => Promise<T> | T,
  options: OpenStoreOptions = {},
): Promise<T> {
  const store = await openStore({ dir, ...options });
  try {
    return await action(store);
  } finally {
    await store.close();
  }
}

/** The error of something that must fail. */
export async function failureOf(promise: Promise<unknown>): Promise<StorageError> {
  return await promise.then(
    () => {
      throw new Error('it did not fail');
    },
    (error: StorageError) => error,
  );
}

/** Everything a store knows of its things. */
export function contents(store: Store): readonly unknown[] {
  return store.scan(BUCKET).map((entry) => [entry.key, entry.revision, entry.object()['value'], entry.labels]);
}

/** Copies a folder in use, as it would be found if the process died now. */
export async function copyAsCrashed(dir: string): Promise<string> {
  const copy = await scratchFolder();
  for (const name of await readdir(dir)) {
    if (!name.startsWith('lock')) await copyFile(join(dir, name), join(copy, name));
  }
  return copy;
}
