import { randomUUID } from 'node:crypto';
import { link, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import { isAlive, ownIdentity, type ProcessIdentity } from '../process/process-identity.ts';

/** Options of {@link withLock}. */
export interface LockOptions {
  /** Called once when another living process holds the lock. */
  readonly onWait?: (holder: ProcessIdentity) => void;
  /** Pause between two attempts in milliseconds. Default 250. */
  readonly everyMs?: number;
}

/**
 * Runs `work` while this process alone holds the lock file. The lock of a dead process is taken over. Two processes
 * may in theory both take over the same dead lock; `work` must therefore be safe to run twice.
 */
export async function withLock<T>(file: string, work: () => Promise<T>, options: LockOptions = {}): Promise<T> {
  const { onWait, everyMs = 250 } = options;
  await mkdir(dirname(file), { recursive: true });
  const mine = JSON.stringify(ownIdentity());
  let announced = false;
  while (!(await tryCreate(file, mine))) {
    const text = await readFile(file, 'utf8').catch(() => undefined);
    if (text === undefined) continue;
    const holder = parseHolder(text);
    if (holder === undefined || !isAlive(holder)) {
      await removeStale(file, text);
      continue;
    }
    if (!announced) onWait?.(holder);
    announced = true;
    await delay(everyMs);
  }
  try {
    return await work();
  } finally {
    await rm(file, { force: true });
  }
}

async function tryCreate(file: string, text: string): Promise<boolean> {
  // Written aside and linked, so that nobody ever reads a lock that is still empty.
  const draft = `${file}.${randomUUID()}`;
  await writeFile(draft, text);
  try {
    await link(draft, file);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  } finally {
    await rm(draft, { force: true });
  }
}

async function removeStale(file: string, staleText: string): Promise<void> {
  const aside = `${file}.${randomUUID()}`;
  try {
    await rename(file, aside);
  } catch {
    return;
  }
  const moved = await readFile(aside, 'utf8');
  // Somebody else was faster and this is their fresh lock: put it back.
  if (moved !== staleText) await link(aside, file).catch(() => undefined);
  await rm(aside, { force: true });
}

function parseHolder(text: string): ProcessIdentity | undefined {
  try {
    return JSON.parse(text) as ProcessIdentity;
  } catch {
    return undefined;
  }
}
