import { appendFile, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

import { logPath } from './journal/folder.ts';
import { openStore } from './open-store.ts';
import { scratchFolder } from './testing/scratch-folder.ts';
import { BUCKET, contents, copyAsCrashed, failureOf, FIRST_LOG, put, thing, using } from './testing/things.ts';

describe('a store with a folder', () => {
  it('finds everything again: objects, labels, revisions, and what was deleted', async () => {
    const dir = join(await scratchFolder(), 'deep', 'er');
    const before = await using(dir, async (store) => {
      await put(store, 'a', 'ünïcödé 🎉', { app: 'x', 'example.org/tier': '' });
      await put(store, 'b', 'one');
      await put(store, 'b', 'two');
      await put(store, 'c');
      await store.commit({ bucket: BUCKET, key: 'n/c', object: undefined });
      await store.commit({ bucket: '/others', key: '/x', object: thing('x', 1) });
      return { contents: contents(store), revision: store.revision };
    });

    await using(dir, (store) => {
      expect(contents(store)).toEqual(before.contents);
      expect(store.revision).toBe(before.revision);
      expect(store.count('/others', '')).toBe(1);
    });
  });

  it('goes on with the same numbers after it was closed in order', async () => {
    const dir = await scratchFolder();
    const first = await using(dir, (store) => put(store, 'a'));
    const second = await using(dir, (store) => {
      expect([store.revision, store.oldestRevision, store.durableRevision]).toEqual([2, 2, 2]);
      return put(store, 'b');
    });

    expect([first?.revision, second?.revision]).toEqual([2, 3]);
  });

  it('never gives a number again that somebody may have seen before a crash', async () => {
    const dir = await scratchFolder();
    const store = await openStore({ dir });
    await put(store, 'a');
    const crashed = await copyAsCrashed(dir);
    const unsafe = put(store, 'b');
    const seen = store.revision;

    await using(crashed, (recovered) => {
      expect(contents(recovered)).toHaveLength(1);
      expect(recovered.revision).toBeGreaterThan(seen);
      expect(() => recovered.watch(BUCKET, seen, () => undefined)).toThrow(/too old resource version/);
    });
    await unsafe;
    await store.close();
  });

  it('keeps files and folder from other users', async () => {
    const dir = join(await scratchFolder(), 'store');
    await using(dir, (store) => put(store, 'a'));

    expect((await stat(dir)).mode & 0o077).toBe(0);
    for (const name of await readdir(dir)) expect((await stat(join(dir, name))).mode & 0o077, name).toBe(0);
  });

  it('waits for the disk when asked to', async () => {
    const dir = await scratchFolder();
    await using(dir, (store) => put(store, 'a'), { fsync: true });

    expect(await using(dir, (store) => contents(store).length)).toBe(1);
  });

  it('makes many writes of one turn safe with one another, in order', async () => {
    const dir = await scratchFolder();
    await using(dir, async (store) => {
      const order: number[] = [];
      store.watch(BUCKET, store.revision, ({ revision }) => order.push(revision));
      await Promise.all(Array.from({ length: 3_000 }, (_, index) => put(store, `t${index}`, 'x'.repeat(3_000))));
      expect(order).toEqual(Array.from({ length: 3_000 }, (_, index) => index + 2));
    });

    expect(await using(dir, (store) => store.count(BUCKET))).toBe(3_000);
  });
});

describe('the log', () => {
  it('is cut where a write did not get through', async () => {
    const dir = await scratchFolder();
    await using(dir, async (store) => {
      await put(store, 'a');
      await put(store, 'b');
    });
    const whole = await readFile(logPath(dir, FIRST_LOG));
    for (const bytes of [0, 3, 8, 15, 30, 60, whole.length - 40, whole.length - 1]) {
      const torn = await scratchFolder();
      await writeFile(logPath(torn, FIRST_LOG), whole.subarray(0, bytes));

      const kept = await using(torn, async (store) => {
        const found = contents(store).length;
        await put(store, 'later');
        return found;
      });

      expect(kept, `after ${bytes} of ${whole.length} bytes`).toBeLessThanOrEqual(2);
      expect(await using(torn, (store) => contents(store).length)).toBe(kept + 1);
    }
  });

  it('is cut where a power cut left zeros', async () => {
    const dir = await scratchFolder();
    await using(dir, (store) => put(store, 'a'));
    await appendFile(logPath(dir, FIRST_LOG), Buffer.alloc(10_000));

    expect(await using(dir, (store) => contents(store).length)).toBe(1);
  });

  it('is refused when something in its middle has changed, and left as it is', async () => {
    const dir = await scratchFolder();
    await using(dir, async (store) => {
      for (const name of ['a', 'b', 'c']) await put(store, name, 'x'.repeat(500));
    });
    const whole = await readFile(logPath(dir, FIRST_LOG));
    for (const position of [2, 45, 300, 700]) {
      const changed = Buffer.from(whole);
      changed.writeUInt8(changed.readUInt8(position) ^ 0xff, position);
      await writeFile(logPath(dir, FIRST_LOG), changed);

      const error = await failureOf(openStore({ dir }));

      expect(error, `byte ${position}`).toMatchObject({ name: 'StorageError', code: 'KLUTCH_STORE_DAMAGED' });
      expect(error.message).toContain(logPath(dir, FIRST_LOG));
      expect(await readFile(logPath(dir, FIRST_LOG))).toEqual(changed);
    }
  });
});
