import { copyFile, mkdir, readdir, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

import { logPath } from './journal/folder.ts';
import { openStore } from './open-store.ts';
import type { StorageError } from './storage-error.ts';
import { scratchFolder } from './testing/scratch-folder.ts';
import { BUCKET, contents, copyAsCrashed, failureOf, put, using } from './testing/things.ts';

async function bytesIn(dir: string): Promise<number> {
  const sizes = (await readdir(dir)).map(
    async (name) => (await stat(join(dir, name)).catch(() => undefined))?.size ?? 0,
  );
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}

async function logsIn(dir: string): Promise<number> {
  return (await readdir(dir)).filter((name) => name.startsWith('log-')).length;
}

describe('snapshots', () => {
  const eager = { snapshotAfterBytes: 20_000 };

  async function fill(dir: string, rounds: number): Promise<unknown> {
    return await using(
      dir,
      async (store) => {
        for (let round = 0; round < rounds; round += 1) {
          await Promise.all(
            ['a', 'b', 'c', `gone-${round}`].map((name) => put(store, name, `${round} ${'x'.repeat(1_000)}`)),
          );
          await store.commit({ bucket: BUCKET, key: `n/gone-${round}`, object: undefined });
        }
        return contents(store);
      },
      eager,
    );
  }

  it('replace logs, so that the folder does not grow with the number of writes', async () => {
    const dir = await scratchFolder();
    await fill(dir, 200);

    let settled = false;
    const before = await using(
      dir,
      async (store) => {
        // A snapshot takes the disk's time, and the next one is due with a later write.
        const deadline = performance.now() + 20_000;
        while (!settled && performance.now() < deadline) {
          await put(store, 'd', 'x'.repeat(1_000));
          settled = (await logsIn(dir)) === 1 && (await bytesIn(dir)) < 60_000;
        }
        return contents(store);
      },
      eager,
    );

    expect(settled, 'one log of little size is left').toBe(true);
    expect(await using(dir, contents)).toEqual(before);
  });

  it('do not disturb what is written meanwhile, at whatever moment the process dies', async () => {
    const dir = await scratchFolder();
    const store = await openStore({ dir, ...eager });
    let compared = 0;
    for (let round = 0; round < 60; round += 1) {
      const names = ['a', 'b', `once-${round}`];
      await Promise.all(names.map((name) => put(store, name, `${round} ${'x'.repeat(1_000)}`)));
      const crashed = await copyAsCrashed(dir).catch(() => undefined);
      // A file may vanish while it is copied, which no crash could do.
      if (!crashed) continue;
      const found = await using(crashed, contents).catch((error: StorageError) => error.code);
      if (found === 'KLUTCH_STORE_DAMAGED') continue;
      expect(found).toEqual(contents(store));
      compared += 1;
    }
    await store.close();
    expect(compared).toBeGreaterThan(20);
  });

  it('that were not finished are thrown away', async () => {
    const dir = await scratchFolder();
    await using(dir, (store) => put(store, 'a'));
    await writeFile(join(dir, 'snapshot-00000002.tmp'), 'half of it');

    expect(await using(dir, (store) => contents(store).length)).toBe(1);
    expect((await readdir(dir)).filter((name) => name.endsWith('.tmp'))).toEqual([]);
  });

  it('that are damaged or cut off are refused', async () => {
    const dir = await scratchFolder();
    await fill(dir, 50);
    const snapshot = (await readdir(dir)).find((name) => /^snapshot-\d+$/.test(name)) ?? '';
    await truncate(join(dir, snapshot), (await stat(join(dir, snapshot))).size - 29);

    expect(await failureOf(openStore({ dir }))).toMatchObject({ code: 'KLUTCH_STORE_DAMAGED' });
  });

  it('of which a following log is missing are refused', async () => {
    const dir = await scratchFolder();
    await using(dir, (store) => put(store, 'a'));
    await copyFile(logPath(dir, 1), logPath(dir, 3));

    expect(await failureOf(openStore({ dir }))).toMatchObject({
      code: 'KLUTCH_STORE_DAMAGED',
      message: expect.stringContaining(logPath(dir, 2)),
    });
  });

  it('that cannot be written are reported and lose nothing', async () => {
    const dir = await scratchFolder();
    for (const generation of [2, 3, 4]) {
      await mkdir(join(dir, `snapshot-0000000${generation}.tmp`, 'in the way'), { recursive: true });
    }
    const problems: StorageError[] = [];
    const onProblem = (problem: StorageError) => problems.push(problem);
    // Leftovers are removed on opening, so what stands in the way has to come later.
    const store = await openStore({ dir: join(dir, 'store'), snapshotAfterBytes: 5_000, onProblem });
    await mkdir(join(dir, 'store', 'snapshot-00000002.tmp'));
    for (let round = 0; round < 8; round += 1) await put(store, `t${round}`, 'x'.repeat(1_000));
    const before = contents(store);
    await store.close();

    expect(problems[0]?.message).toContain('no snapshot could be written');
    await rm(join(dir, 'store', 'snapshot-00000002.tmp'), { recursive: true, force: true });
    expect(await using(join(dir, 'store'), contents)).toEqual(before);
  });
});
