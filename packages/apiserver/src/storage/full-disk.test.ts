import { open } from 'node:fs/promises';
import { describe, expect, it, vi } from 'vitest';
import { openStore } from './open-store.ts';
import type { StorageError } from './storage-error.ts';
import type { Store } from './types.ts';
import { scratchFolder } from './testing/scratch-folder.ts';
import { contents, copyAsCrashed, failureOf, put, using } from './testing/things.ts';

/** A disk whose logs cannot be written, or not be synced, while the test says so. */
function faultyDisk() {
  const faults = { write: false, sync: false };
  const failing = (code: string) => Promise.reject(Object.assign(new Error(`${code}: it fails`), { code }));
  const openFile: typeof open = async (...args) => {
    const file = await open(...args);
    return new Proxy(file, {
      get(target, property) {
        if (property === 'write' && faults.write) {
          // Half of it gets through, as when the disk fills up in the middle.
          return async (bytes: Buffer, offset: number, length: number, position: number) => {
            await target.write(bytes, offset, Math.floor(length / 2), position);
            return await failing('ENOSPC');
          };
        }
        if (property === 'datasync' && faults.sync) return () => failing('EIO');
        const value: unknown = Reflect.get(target, property, target);
        return typeof value === 'function' ? (value.bind(target) as unknown) : value;
      },
    });
  };
  return { faults, openFile };
}

async function openFaulty(options: { readonly fsync?: boolean } = {}) {
  const { faults, openFile } = faultyDisk();
  const dir = await scratchFolder();
  const problems: StorageError[] = [];
  const recoveries: number[] = [];
  const store: Store = await openStore({
    dir,
    openFile,
    retryAfterMs: 5,
    onRecovery: () => recoveries.push(store.revision),
    onProblem: (problem) => problems.push(problem),
    ...options,
  });
  return { dir, store, faults, problems, recoveries };
}

describe('a store on a disk that is full', () => {
  it('refuses writes, goes on with reads, and says why', async () => {
    const { store, faults, problems } = await openFaulty();
    await put(store, 'a', 1);
    const safe = contents(store);

    faults.write = true;
    const failures = await Promise.all(['a', 'b'].map((name) => failureOf(put(store, name, 2))));

    for (const { code, message } of failures) {
      expect(code).toBe('KLUTCH_STORE_FAILED');
      expect(message).toMatch(/ENOSPC: it fails; reads go on, and so do writes as soon as the disk takes them$/);
    }
    expect(store.problem).toBe(failures[0]);
    expect(problems).toEqual([failures[0]]);
    expect(contents(store)).toEqual(safe);
    faults.write = false;
    await store.close();
  });

  it('goes on by itself when there is room again, with revisions that nobody has seen', async () => {
    const { dir, store, faults, recoveries } = await openFaulty();
    await put(store, 'a', 1);
    const events: string[] = [];
    store.watch('example.org/things', store.revision, ({ type, entry }) => events.push(`${type} ${entry.key}`));
    faults.write = true;
    const refused = store.revision + 1;
    await failureOf(put(store, 'b', 2));

    faults.write = false;
    await vi.waitFor(() => expect(store.problem).toBeUndefined());

    expect(recoveries).toEqual([store.revision]);
    expect(() => store.watch('example.org/things', refused, () => undefined)).toThrow('too old resource version');
    const written = await put(store, 'c', 3);
    expect(written?.revision).toBeGreaterThan(refused);
    expect(events).toEqual(['ADDED n/c']);
    const before = contents(store);
    expect(await using(await copyAsCrashed(dir), contents)).toEqual(before);
    await store.close();
    expect(await using(dir, contents)).toEqual(before);
  });

  it('can be closed while it waits for room, and has what was safe', async () => {
    const { dir, store, faults } = await openFaulty();
    await put(store, 'a', 1);
    const safe = contents(store);
    faults.write = true;
    await failureOf(put(store, 'b', 2));
    await store.close();
    expect(await using(dir, contents)).toEqual(safe);
  });

  it('has to be started again when the disk has lost what it was given', async () => {
    const { dir, store, faults } = await openFaulty({ fsync: true });
    await put(store, 'a', 1);
    const safe = contents(store);
    faults.sync = true;
    const failure = await failureOf(put(store, 'b', 2));
    faults.sync = false;

    expect(failure.message).toMatch(/nothing can be written until the problem is solved and the server started again$/);
    expect(await failureOf(put(store, 'c', 3))).toBe(failure);
    await store.close();
    expect(await using(dir, contents)).toEqual(safe);
  });
});
