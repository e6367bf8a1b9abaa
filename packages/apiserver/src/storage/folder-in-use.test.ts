import { open, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

import { logPath } from './journal/folder.ts';
import { openStore } from './open-store.ts';
import { bundleProgram, startChild } from './testing/child-program.ts';
import { scratchFolder } from './testing/scratch-folder.ts';
import { failureOf, FIRST_LOG, put, using } from './testing/things.ts';

describe('a folder in use', () => {
  it('is refused to a second store of the same process, and free after closing', async () => {
    const dir = await scratchFolder();
    const store = await openStore({ dir });

    const error = await failureOf(openStore({ dir }));
    await store.close();

    expect(error).toMatchObject({ code: 'KLUTCH_STORE_LOCKED', message: expect.stringContaining('this process') });
    await using(dir, () => undefined);
  });

  it('is refused to another process', async () => {
    const dir = join(await scratchFolder(), 'store');
    const program = await bundleProgram(new URL('./testing/busy-writer.ts', import.meta.url), await scratchFolder());
    const store = await openStore({ dir });

    const child = startChild(process.execPath, [program, dir]);
    const { code } = await child.ended;
    await store.close();

    expect(code).toBe(1);
    expect(child.lines).toEqual(['refused KLUTCH_STORE_LOCKED']);
  });

  it.each([
    { of: 'a process that is gone', lock: { pid: 2 ** 22 + 1 } },
    { of: 'a later process with the same id', lock: { pid: process.pid, startedAt: 'another boot/1' } },
    { of: 'nobody', lock: 'not JSON' },
  ])('is taken over from $of', async ({ lock }) => {
    const dir = await scratchFolder();
    await writeFile(join(dir, 'lock-5'), JSON.stringify(lock));

    await using(dir, (store) => put(store, 'a'));

    expect((await readdir(dir)).filter((name) => name.startsWith('lock'))).toEqual(['lock-6']);
  });

  it.each([1, 2, 3, 4, 5])('goes to exactly one of several that want it at once, time %i', async () => {
    const dir = await scratchFolder();
    await writeFile(join(dir, 'lock-1'), JSON.stringify({ pid: 2 ** 22 + 1 }));

    const attempts = await Promise.allSettled(Array.from({ length: 8 }, () => openStore({ dir })));

    const winners = attempts.filter((attempt) => attempt.status === 'fulfilled');
    expect(winners).toHaveLength(1);
    for (const { value } of winners) await value.close();
  });
});

describe('a folder that cannot be used', () => {
  it('is named in the error, with what to do', async () => {
    const dir = await scratchFolder();
    await writeFile(join(dir, 'file'), '');

    const error = await failureOf(openStore({ dir: join(dir, 'file', 'store') }));

    expect(error).toMatchObject({ code: 'KLUTCH_STORE_UNUSABLE' });
    expect(error.message).toContain(join(dir, 'file', 'store'));
    expect(error.message).toContain('choose one that this user may write to');
  });

  it.skipIf(process.platform !== 'linux')('is refused when there is no space even for the first byte', async () => {
    const dir = await scratchFolder();
    await symlink('/dev/full', logPath(dir, FIRST_LOG));

    const error = await failureOf(openStore({ dir }));

    expect(error).toMatchObject({ code: 'KLUTCH_STORE_UNUSABLE' });
    await (await open(logPath(dir, FIRST_LOG), 'r')).close();
    expect(await readFile(join(dir, 'lock-1'), 'utf8')).toBe('');
  });
});

describe('a disk that becomes full', () => {
  it.skipIf(process.platform === 'win32')(
    'refuses writes, goes back to what was acknowledged, and brings nothing back that was refused',
    async () => {
      const dir = join(await scratchFolder(), 'store');
      const program = await bundleProgram(new URL('./testing/busy-writer.ts', import.meta.url), await scratchFolder());
      // Files may have 200 blocks of 512 bytes; the system then answers as it does when a disk is full.
      const limited = [
        '-c',
        'ulimit -f 200 && exec "$0" "$@"',
        process.execPath,
        program,
        dir,
        '5',
        '300',
        '1000000000',
      ];

      const child = startChild('/bin/sh', limited);
      await child.ended;

      const acknowledged = new Map<string, number>();
      for (const [word, key, step, revision] of child.lines.map((line) => line.split(' '))) {
        if (word !== 'ack' || !key) continue;
        if (Number(step) % 7 === 6) acknowledged.delete(key);
        else acknowledged.set(key, Number(revision));
      }
      const expected = [...acknowledged].sort(([a], [b]) => a.localeCompare(b));
      expect(child.lines.filter((line) => line.startsWith('refused'))).toEqual(['refused KLUTCH_STORE_FAILED']);
      const memory = child.lines.find((line) => line.startsWith('memory')) ?? '';
      expect(JSON.parse(memory.slice('memory'.length))).toEqual(expected);
      const onDisk = await using(dir, (store) => store.scan('/things').map(({ key, revision }) => [key, revision]));
      expect(onDisk).toEqual(expected);
    },
  );
});
