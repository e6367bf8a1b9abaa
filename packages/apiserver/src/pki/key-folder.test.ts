import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { memoryKeyFolder, openKeyFolder } from './key-folder.ts';

let dir: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'klutch-keys-'));
});
afterEach(() => rm(dir, { recursive: true, force: true }));

describe.each([
  ['on disk', async () => openKeyFolder(dir)],
  ['in memory', async () => memoryKeyFolder()],
])('a folder of keys %s', (_, open) => {
  it('gives back what was written, the latest of it', async () => {
    const folder = await open();
    await folder.write('a.key', 'one');
    await folder.write('a.key', 'two');
    await folder.write('b.key', 'three');
    expect(await folder.read('a.key')).toBe('two');
    expect(await folder.read('b.key')).toBe('three');
  });

  it('knows what it does not have', async () => {
    expect(await (await open()).read('a.key')).toBeUndefined();
  });
});

describe('a folder of keys on disk', () => {
  it('is made with all folders above it', async () => {
    const deep = join(dir, 'a', 'b');
    await (await openKeyFolder(deep)).write('x.key', 'secret');
    expect(await readFile(join(deep, 'x.key'), 'utf8')).toBe('secret');
    expect((await stat(deep)).mode & 0o777).toBe(0o700);
  });

  it('leaves nothing else behind', async () => {
    const folder = await openKeyFolder(dir);
    await folder.write('x.key', 'one');
    await folder.write('x.key', 'two');
    expect(await readdir(dir)).toEqual(['x.key']);
  });

  it('does not take trouble with a file for its absence', async () => {
    const folder = await openKeyFolder(dir);
    await writeFile(join(dir, 'file'), '');
    await expect(folder.read('file/x.key')).rejects.toThrow('ENOTDIR');
  });
});
