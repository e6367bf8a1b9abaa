import { randomUUID } from 'node:crypto';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { isKlutchError, KlutchError } from '@klutch/api';

/** How we know our own files: editing commands of kubectl drop comments, and what somebody edited is theirs. */
const mark = '# Written by `klutch apiserver`, and written anew whenever it starts.\n';

/** Refuses a file that somebody else has written. */
export async function requireOwnFile(path: string): Promise<void> {
  const content = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined;
    throw unusable(path, error);
  });
  if (content === undefined || content === '' || content.startsWith(mark)) return;
  throw new KlutchError(
    'KLUTCH_FILE_FOREIGN',
    `${path} exists and was not written by this command; choose another file with --kubeconfig, or remove it.`,
  );
}

/** Writes a file that only its owner can read, in place of one of ours. Nobody ever sees half of it. */
export async function writeOwnFile(path: string, kubeconfig: string): Promise<void> {
  const unfinished = `${path}.${randomUUID()}.tmp`;
  try {
    await writeFile(unfinished, mark + kubeconfig, { mode: 0o600, flag: 'wx' });
    await requireOwnFile(path);
    await rename(unfinished, path);
  } catch (error) {
    await rm(unfinished, { force: true }).catch(() => undefined);
    throw isKlutchError(error) ? error : unusable(path, error as NodeJS.ErrnoException);
  }
}

function unusable(path: string, cause: NodeJS.ErrnoException): KlutchError {
  const message = `${path} cannot be written (${cause.code ?? cause.message}); choose another file with --kubeconfig.`;
  return new KlutchError('KLUTCH_FILE_UNWRITABLE', message, { cause });
}
