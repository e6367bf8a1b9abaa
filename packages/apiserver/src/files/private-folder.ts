import { chmod, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolder } from './make-folder.ts';
import { FILE_MODE, FOLDER_MODE, OTHERS } from './modes.ts';

/**
 * Makes a folder if need be and closes it, and the files in it, to others, whatever their modes were. Throws when it
 * belongs to somebody else, who could open it again.
 *
 * @param user who must own it. Default: the user of this process, where the system has users
 */
export async function openPrivateFolder(path: string, user: number | undefined = process.getuid?.()): Promise<void> {
  await makeFolder(path);
  await close(path, FOLDER_MODE, user);
  for (const entry of await readdir(path, { withFileTypes: true })) {
    // Locks come and go.
    if (entry.isFile()) await close(join(path, entry.name), FILE_MODE, user).catch(unlessGone);
  }
}

/** Closes a folder of this user that holds nothing but the named entries; any other stays as it is. */
export async function closeFolderOf(path: string, names: readonly string[]): Promise<void> {
  const isOurs = (await stat(path)).uid === process.getuid?.();
  const found = await readdir(path);
  if (isOurs && found.every((name) => names.includes(name))) await close(path, FOLDER_MODE, undefined);
}

async function close(path: string, mode: number, user: number | undefined): Promise<void> {
  const { uid, mode: before } = await stat(path);
  if (user !== undefined && uid !== user) {
    throw new Error(`${path} belongs to another user (uid ${uid}), who could read what is kept there`);
  }
  if ((before & OTHERS) !== 0) await chmod(path, mode);
}

function unlessGone(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOENT') throw error;
}
