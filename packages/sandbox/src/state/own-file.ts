import { randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { KlutchError } from '@klutch/api';

/** The content of a JSON file of the sandbox; undefined when there is none. */
export async function readOwnFile<T>(file: string): Promise<T | undefined> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined;
    throw unusable(file, error);
  });
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text) as T;
  } catch {
    // The parser quotes what it reads, and that may be a secret.
    throw new KlutchError('KLUTCH_FILE_UNWRITABLE', `${file} is damaged; remove it, or run \`klutch sandbox reset\`.`);
  }
}

/** Writes a file that only its owner can read; nobody ever sees half of it. */
export async function writeOwnFile(file: string, content: string): Promise<void> {
  const unfinished = `${file}.${randomUUID()}.tmp`;
  try {
    await mkdir(dirname(file), { recursive: true, mode: 0o700 });
    await writeFile(unfinished, content, { mode: 0o600, flag: 'wx' });
    await rename(unfinished, file);
  } catch (error) {
    throw unusable(file, error as NodeJS.ErrnoException);
  }
}

function unusable(file: string, cause: NodeJS.ErrnoException): KlutchError {
  const message = `${file} cannot be used (${cause.code ?? cause.message}); choose another folder with --dir.`;
  return new KlutchError('KLUTCH_FILE_UNWRITABLE', message, { cause });
}
