import { chmod, chown, mkdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openPki } from '../pki/index.ts';
import { openStore } from '../storage/index.ts';
import { scratchFolder } from '../storage/testing/scratch-folder.ts';
import { closeFolderOf, openPrivateFolder } from './private-folder.ts';

const modeOf = async (path: string) => ((await stat(path)).mode & 0o777).toString(8);

async function openFolder(): Promise<string> {
  const dir = join(await scratchFolder(), 'wide');
  await mkdir(dir);
  await chmod(dir, 0o777);
  await writeFile(join(dir, 'file'), 'secret');
  await chmod(join(dir, 'file'), 0o644);
  return dir;
}

describe('a folder that was there and open to others', () => {
  it('is closed, and so are its files', async () => {
    const dir = await openFolder();
    await openPrivateFolder(dir);
    expect([await modeOf(dir), await modeOf(join(dir, 'file'))]).toEqual(['700', '600']);
  });

  it('is refused when it belongs to somebody else', async () => {
    const dir = await openFolder();
    const owner = (await stat(dir)).uid;
    await expect(openPrivateFolder(dir, owner + 1)).rejects.toThrow(
      `${dir} belongs to another user (uid ${owner}), who could read what is kept there`,
    );
    expect(await modeOf(dir)).toBe('777');
  });

  it('is closed by a store, with what it kept', async () => {
    const dir = await openFolder();
    await (await openStore({ dir })).close();
    await chmod(dir, 0o755);
    await chmod(join(dir, 'log-00000001'), 0o666);
    await (await openStore({ dir })).close();
    expect([await modeOf(dir), await modeOf(join(dir, 'log-00000001'))]).toEqual(['700', '600']);
  });

  it('is closed by keys, with what it kept', async () => {
    const dir = await openFolder();
    await openPki({ dir });
    await chmod(dir, 0o755);
    await chmod(join(dir, 'ca.key'), 0o644);
    await openPki({ dir });
    expect([await modeOf(dir), await modeOf(join(dir, 'ca.key'))]).toEqual(['700', '600']);
  });

  it('is closed when it holds nothing else', async () => {
    const dir = await openFolder();
    await closeFolderOf(dir, ['objects']);
    expect(await modeOf(dir)).toBe('777');
    await closeFolderOf(dir, ['file', 'objects']);
    expect(await modeOf(dir)).toBe('700');
  });
});

describe.runIf(process.getuid?.() === 0)('a folder of another user, for root', () => {
  it('is refused by a store and by keys with a sentence that says what to do', async () => {
    const dir = await openFolder();
    await chown(dir, 12_345, 12_345);
    await expect(openStore({ dir })).rejects.toMatchObject({
      code: 'KLUTCH_STORE_UNUSABLE',
      message: expect.stringMatching(/belongs to another user \(uid 12345\).*; choose one/),
    });
    await expect(openPki({ dir })).rejects.toThrow(
      /belongs to another user \(uid 12345\).*; choose a folder of your own/,
    );
  });
});
