import { mkdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { scratchFolder } from '../storage/testing/scratch-folder.ts';
import { makeFolder } from './make-folder.ts';

describe('makeFolder', () => {
  it('makes what is missing, for its owner only, and leaves the rest', async () => {
    const base = await scratchFolder();
    await mkdir(join(base, 'a'), { mode: 0o755 });

    await makeFolder(join(base, 'a', 'b', 'c'));
    await makeFolder(join(base, 'a', 'b', 'c'));

    expect((await stat(join(base, 'a', 'b', 'c'))).mode & 0o777).toBe(0o700);
    expect((await stat(join(base, 'a'))).mode & 0o777).toBe(0o755);
  });

  it('gives up where a file is in the way', async () => {
    const base = await scratchFolder();
    await writeFile(join(base, 'file'), '');

    await expect(makeFolder(join(base, 'file'))).rejects.toMatchObject({ code: 'EEXIST' });
    await expect(makeFolder(join(base, 'file', 'a', 'b'))).rejects.toMatchObject({ code: 'ENOTDIR' });
  });

  it.runIf(process.platform === 'linux')('gives up where nothing can be made', async () => {
    await expect(makeFolder('/proc/klutch/objects')).rejects.toMatchObject({ code: 'ENOENT' });
  });
});
