import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { FOLDER_MODE } from './modes.ts';

/**
 * Makes a folder and those above it, unless they are there. Node's own `recursive` never returns where nothing can be
 * made although all above is there, as below `/proc`.
 */
export async function makeFolder(path: string): Promise<void> {
  const problem = await problemOfMaking(path);
  if (problem?.code !== 'ENOENT' || dirname(path) === path) return rejectWith(problem);
  await makeFolder(dirname(path));
  return rejectWith(await problemOfMaking(path));
}

/** Undefined when the folder is there. */
async function problemOfMaking(path: string): Promise<NodeJS.ErrnoException | undefined> {
  try {
    await mkdir(path, { mode: FOLDER_MODE });
    return undefined;
  } catch (error) {
    const isThere = await stat(path).then(
      (found) => found.isDirectory(),
      () => false,
    );
    return isThere ? undefined : (error as NodeJS.ErrnoException);
  }
}

async function rejectWith(problem: Error | undefined): Promise<void> {
  if (problem) throw problem;
}
