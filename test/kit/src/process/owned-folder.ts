import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

import { isAlive, ownIdentity, type ProcessIdentity } from './process-identity.ts';

/**
 * Creates a folder under `root` that belongs to this process, readable by this user only, after removing those whose
 * owners died without doing so. The name carries the owner, so that there is no moment in which it belongs to nobody.
 */
export async function createOwnedFolder(root: string): Promise<string> {
  await mkdir(root, { recursive: true, mode: 0o700 });
  await sweepOwnedFolders(root);
  const { pid, startTicks } = ownIdentity();
  return mkdtemp(join(root, `${pid}-${startTicks}-`));
}

/** Removes the folders of dead owners. Anything else in `root` is left alone. */
async function sweepOwnedFolders(root: string): Promise<void> {
  const names = await readdir(root);
  const orphans = names.filter((name) => {
    const owner = ownerOf(name);
    return owner !== undefined && !isAlive(owner);
  });
  await Promise.all(orphans.map((name) => rm(join(root, name), { recursive: true, force: true })));
}

function ownerOf(name: string): ProcessIdentity | undefined {
  const match = /^(\d+)-(\d+)-\w+$/.exec(name);
  return match ? { pid: Number(match[1]), startTicks: Number(match[2]) } : undefined;
}
