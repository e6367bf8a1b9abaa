import { mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { createOwnedFolder } from './owned-folder.ts';
import { ownIdentity } from './process-identity.ts';

describe('owned folder', () => {
  let root: string;

  beforeEach(async () => {
    root = join(await mkdtemp(join(tmpdir(), 'kit-owned-')), 'not', 'there', 'yet');
  });
  afterEach(() => rm(join(root, '../../..'), { recursive: true }));

  it('is new each time and closed to others', async () => {
    const first = await createOwnedFolder(root);
    const second = await createOwnedFolder(root);
    expect(first).not.toBe(second);
    expect((await stat(first)).mode & 0o777).toBe(0o700);
    expect((await readdir(root)).sort()).toEqual([basename(first), basename(second)].sort());
  });

  it('replaces those of dead owners and spares everything else', async () => {
    const { pid, startTicks } = ownIdentity();
    const living = `${pid}-${startTicks}-abcdef`;
    const predecessor = `${pid}-${startTicks + 1}-abcdef`;
    // Beyond the highest id any system gives out.
    const dead = '99999999-1-abcdef';
    for (const name of [living, predecessor, dead, 'notes']) await mkdir(join(root, name), { recursive: true });
    await writeFile(join(root, dead, 'left-over.log'), 'text');

    const mine = await createOwnedFolder(root);

    expect((await readdir(root)).sort()).toEqual([living, 'notes', basename(mine)].sort());
  });
});
