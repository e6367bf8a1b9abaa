import { mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';

import { createOwnedFolder } from '../process/owned-folder.ts';
import { withLock } from './build-lock.ts';

/** What {@link keepInCache} needs to know. */
export interface KeepOptions {
  /** The result becomes `<cacheRoot>/<key>`. */
  readonly cacheRoot: string;
  readonly key: string;
  /** Receives progress lines for the user. */
  readonly report: (line: string) => void;
  /** Whether the result is there by now; asked again under the lock, for another process may have made it meanwhile. */
  readonly isKept: () => Promise<boolean>;
  /** Fills `folder`; may leave a log beside it, which is removed afterwards. */
  readonly make: (folder: string, logFile: string) => Promise<void>;
}

/**
 * Makes a folder of the cache. It appears complete or not at all; processes that ask at the same time make it once.
 */
export async function keepInCache(options: KeepOptions): Promise<void> {
  const { cacheRoot, key, report } = options;
  await withLock(join(cacheRoot, `${key}.lock`), () => makeUnlessKept(options), {
    onWait: ({ pid }) => report(`waiting for process ${pid}, which is building ${key}`),
  });
}

async function makeUnlessKept({ cacheRoot, key, report, isKept, make }: KeepOptions): Promise<void> {
  if (await isKept()) return;
  const started = performance.now();
  const folder = join(cacheRoot, key);
  const draft = await createOwnedFolder(join(cacheRoot, 'building'));
  try {
    const content = join(draft, 'content');
    await mkdir(content);
    await make(content, join(draft, 'build.log'));
    // What is there is incomplete, or `isKept` would have said so.
    await rm(folder, { recursive: true, force: true });
    await rename(content, folder);
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
  report(`built in ${Math.round((performance.now() - started) / 1000)} s, kept in ${folder}`);
}
