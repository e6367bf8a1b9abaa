import { open, readFile, writeFile } from 'node:fs/promises';

import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { logPath } from './journal/folder.ts';
import { openStore } from './open-store.ts';
import { StorageError } from './storage-error.ts';
import { scratchFolder } from './testing/scratch-folder.ts';
import { contents, copyAsCrashed, FIRST_LOG, put, using } from './testing/things.ts';

const BLOCK = 512;

interface Written {
  readonly bytes: Buffer;
  /** Size of the log, and what the store held, when each batch had been acknowledged. */
  readonly states: readonly { readonly size: number; readonly contents: readonly unknown[] }[];
}

/** The log of a process that was killed after some batches of writes, each acknowledged before the next. */
async function writtenLog({ batches = 5, size = 400 } = {}): Promise<Written> {
  const dir = await scratchFolder();
  const store = await openStore({ dir, fsync: true });
  const path = logPath(dir, FIRST_LOG);
  const states: { size: number; contents: readonly unknown[] }[] = [];
  const note = async () => states.push({ size: (await readFile(path)).length, contents: contents(store) });
  await note();
  for (let batch = 0; batch < batches; batch += 1) {
    const names = Array.from({ length: 1 + (batch % 3) }, (_, index) => `${batch}-${index}`);
    await Promise.all(names.map((name, index) => put(store, name, 'x'.repeat(size / 2 + size * index))));
    await note();
  }
  const bytes = await readFile(logPath(await copyAsCrashed(dir), FIRST_LOG));
  await store.close();
  return { bytes, states };
}

/** What a store makes of a folder with this log: its contents, or why it refuses. */
async function openedWith(dir: string, bytes: Buffer): Promise<readonly unknown[] | StorageError> {
  await writeFile(logPath(dir, FIRST_LOG), bytes);
  try {
    return await using(dir, contents);
  } catch (error) {
    if (error instanceof StorageError) return error;
    throw error;
  }
}

const says = {
  code: 'KLUTCH_STORE_DAMAGED',
  message: expect.stringMatching(/is damaged .*; restore it from a copy, or/),
};

describe('a log after a power cut', () => {
  it('that ends at any byte has what was acknowledged by then, in order', async () => {
    const { bytes, states } = await writtenLog({ batches: 3, size: 2 });
    const dir = await scratchFolder();
    for (let length = 0; length <= bytes.length; length += 1) {
      const found = await openedWith(dir, bytes.subarray(0, length));
      const acknowledged = states.findLast(({ size }) => size <= length)?.contents ?? [];
      const later = states.find(({ size }) => size > length)?.contents ?? states.at(-1)?.contents ?? [];
      if (!Array.isArray(found)) throw found;
      expect(found.length, `${length} bytes`).toBeGreaterThanOrEqual(acknowledged.length);
      expect(later).toEqual(expect.arrayContaining(found));
      expect(found).toEqual(expect.arrayContaining([...acknowledged]));
    }
  }, 120_000);

  it('in whose last batch any blocks are missing has all that was acknowledged', async () => {
    const { bytes, states } = await writtenLog();
    const [before] = states.slice(-2);
    const start = before?.size ?? 0;
    const blocks = Math.ceil(bytes.length / BLOCK) - Math.floor(start / BLOCK);
    const dir = await scratchFolder();
    await fc.assert(
      fc.asyncProperty(
        fc.subarray(
          Array.from({ length: blocks }, (_, at) => at),
          { minLength: 1 },
        ),
        async (lost) => {
          const torn = Buffer.from(bytes);
          for (const at of lost) {
            const from = (Math.floor(start / BLOCK) + at) * BLOCK;
            torn.fill(0, Math.max(from, start), Math.min(from + BLOCK, torn.length));
          }
          const found = await openedWith(dir, torn);
          if (!Array.isArray(found)) throw found;
          expect(found).toEqual(expect.arrayContaining([...(before?.contents ?? [])]));
          expect(states.at(-1)?.contents).toEqual(expect.arrayContaining(found));
        },
      ),
      { numRuns: 60 },
    );
  }, 120_000);

  it('in which a block of an earlier batch is missing is refused', async () => {
    const { bytes, states } = await writtenLog();
    const dir = await scratchFolder();
    for (const { size } of states.slice(0, -2)) {
      const torn = Buffer.from(bytes);
      const from = size - (size % BLOCK) + BLOCK;
      if (from + BLOCK > (states.at(-2)?.size ?? 0)) continue;
      torn.fill(0, from, from + BLOCK);
      expect(await openedWith(dir, torn), `block at ${from}`).toMatchObject(says);
    }
  });

  it('in which any bit has changed is refused', async () => {
    const { bytes } = await writtenLog();
    const dir = await scratchFolder();
    await fc.assert(
      fc.asyncProperty(fc.nat(bytes.length - 1), fc.nat(7), async (position, bit) => {
        const changed = Buffer.from(bytes);
        changed.writeUInt8(changed.readUInt8(position) ^ (1 << bit), position);
        expect(await openedWith(dir, changed), `bit ${bit} of byte ${position}`).toMatchObject(says);
      }),
      { numRuns: 300 },
    );
  }, 120_000);

  it('can be gone on with', async () => {
    const { bytes, states } = await writtenLog();
    const dir = await scratchFolder();
    const torn = Buffer.from(bytes);
    torn.fill(0, bytes.length - (bytes.length % BLOCK));
    await writeFile(logPath(dir, FIRST_LOG), torn);
    await using(dir, (store) => put(store, 'after', 1));
    const after = await using(dir, contents);
    expect(after).toEqual(expect.arrayContaining([...(states.at(-2)?.contents ?? [])]));
    expect(after.map((entry) => (entry as unknown[])[0])).toContain('n/after');
  });
});

describe('logs before the last', () => {
  it('are on the disk before there is another', async () => {
    const dir = await scratchFolder();
    const order: string[] = [];
    const openFile: typeof open = async (...args) => {
      const name = String(args[0]).slice(-1);
      order.push(`open ${name}`);
      const file = await open(...args);
      return new Proxy(file, {
        get(target, property) {
          if (property === 'datasync') order.push(`sync ${name}`);
          const value: unknown = Reflect.get(target, property, target);
          return typeof value === 'function' ? (value.bind(target) as unknown) : value;
        },
      });
    };
    const store = await openStore({ dir, openFile, snapshotAfterBytes: 2_000 });
    for (let index = 0; index < 10; index += 1) await put(store, 'a', 'x'.repeat(1_000));
    await store.close();

    expect(order.slice(0, 3)).toEqual(['open 1', 'sync 1', 'open 2']);
  });
});
