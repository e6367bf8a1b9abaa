import { randomUUID } from 'node:crypto';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { FILE_MODE } from '../files/modes.ts';
import { openPrivateFolder } from '../files/private-folder.ts';
import { syncFolder } from '../files/sync-folder.ts';
import { PkiError } from './pki-error.ts';

/** A folder of small secret files. */
export interface KeyFolder {
  /** The content of a file, undefined when there is none. */
  read(name: string): Promise<string | undefined>;
  /** Writes a file that only its owner can read. A crash leaves the old content or the new one, never half of it. */
  write(name: string, content: string): Promise<void>;
  pathOf(name: string): string;
}

/** Opens a folder, which is made when missing and closed to others in any case. */
export async function openKeyFolder(dir: string): Promise<KeyFolder> {
  await openPrivateFolder(dir).catch((cause: Error) => {
    throw new PkiError(`no keys can be kept in ${dir}: ${cause.message}; choose a folder of your own`, { cause });
  });
  const pathOf = (name: string) => join(dir, name);
  return {
    pathOf,
    read: (name) => readFile(pathOf(name), 'utf8').catch(absent),
    write: async (name, content) => {
      const unfinished = pathOf(`.${name}.${randomUUID()}`);
      await writeFile(unfinished, content, { mode: FILE_MODE, flag: 'wx', flush: true });
      await rename(unfinished, pathOf(name));
      await syncFolder(dir);
    },
  };
}

/** A folder that exists only in this process. */
export function memoryKeyFolder(): KeyFolder {
  const files = new Map<string, string>();
  return {
    pathOf: (name) => name,
    read: async (name) => files.get(name),
    write: async (name, content) => void files.set(name, content),
  };
}

function absent(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}
