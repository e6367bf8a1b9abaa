import { randomUUID } from 'node:crypto';
import { link, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { FILE_MODE } from '../../files/modes.ts';
import { openPrivateFolder } from '../../files/private-folder.ts';
import { problemOf, StorageError } from '../storage-error.ts';
import { type ProcessIdentity, isRunning, ownIdentity } from './process-identity.ts';

/** A folder that belongs to one store at a time. */
export interface FolderLock {
  release(): Promise<void>;
}

const ATTEMPTS = 100;

/**
 * Creates the folder if need be and takes it. A lock whose process is gone is taken over.
 *
 * Locks are numbered, and the highest number counts. Taking the folder is creating the next number, which only one can
 * do; the file stays when the lock is released, empty, so that a number is never created twice.
 */
export async function lockFolder(dir: string): Promise<FolderLock> {
  const mine = join(dir, `lock-${randomUUID()}.tmp`);
  try {
    await openPrivateFolder(dir);
    await writeFile(mine, JSON.stringify(await ownIdentity()), { mode: FILE_MODE });
    const number = await take(dir, mine);
    for (const older of (await lockNumbers(dir)).slice(0, -1)) await rm(lockPath(dir, older), { force: true });
    return { release: () => truncate(lockPath(dir, number)) };
  } catch (error) {
    if (error instanceof StorageError) throw error;
    const message = `the folder ${dir} cannot be used for storage: ${problemOf(error)}; choose one that this user may write to`;
    throw new StorageError('KLUTCH_STORE_UNUSABLE', message, { cause: error });
  } finally {
    await rm(mine, { force: true }).catch(() => undefined);
  }
}

async function take(dir: string, mine: string): Promise<number> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const highest = (await lockNumbers(dir)).at(-1) ?? 0;
    const holder = highest === 0 ? undefined : await readHolder(lockPath(dir, highest));
    if (holder && (await isRunning(holder))) throw locked(dir, holder);
    const next = highest + 1;
    if (!(await linked(mine, lockPath(dir, next)))) continue;
    // Others may have gone through this number and further since we looked.
    if ((await lockNumbers(dir)).at(-1) === next) return next;
    await rm(lockPath(dir, next), { force: true });
  }
  throw new StorageError(
    'KLUTCH_STORE_LOCKED',
    `several processes are trying to take ${dir} at once; start one of them`,
  );
}

/** A hard link appears with its content or not at all, and never replaces another. */
async function linked(from: string, to: string): Promise<boolean> {
  try {
    await link(from, to);
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  }
}

async function lockNumbers(dir: string): Promise<number[]> {
  const numbers = (await readdir(dir)).map((name) => Number(/^lock-(\d+)$/.exec(name)?.[1] ?? Number.NaN));
  return numbers.filter((number) => !Number.isNaN(number)).sort((a, b) => a - b);
}

/** Undefined when the lock is free. */
async function readHolder(path: string): Promise<ProcessIdentity | undefined> {
  try {
    const { pid, startedAt } = JSON.parse(await readFile(path, 'utf8')) as Partial<ProcessIdentity>;
    return typeof pid === 'number' ? { pid, startedAt } : undefined;
  } catch {
    return undefined;
  }
}

function locked(dir: string, { pid }: ProcessIdentity): StorageError {
  const who = pid === process.pid ? 'this process already' : `process ${pid}`;
  return new StorageError(
    'KLUTCH_STORE_LOCKED',
    `the folder ${dir} is in use by ${who}; stop it or choose another folder`,
  );
}

function lockPath(dir: string, number: number): string {
  return join(dir, `lock-${number}`);
}
