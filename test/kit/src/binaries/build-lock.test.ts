import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { ownIdentity, type ProcessIdentity } from '../process/process-identity.ts';
import { withLock } from './build-lock.ts';

const DEAD: ProcessIdentity = { pid: 99_999_999, startTicks: 1 };

describe('build lock', () => {
  let dir: string;
  let file: string;
  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), 'kit-lock-'));
    file = join(dir, 'nested', 'build.lock');
  });
  afterEach(() => rm(dir, { recursive: true }));

  it('is held by this process during the work and gone afterwards', async () => {
    const result = await withLock(file, async () => JSON.parse(await readFile(file, 'utf8')) as ProcessIdentity);
    expect(result).toEqual(ownIdentity());
    expect(await readdir(join(dir, 'nested'))).toEqual([]);
  });

  it('is released when the work fails', async () => {
    const work = withLock(file, () => Promise.reject(new Error('no space left')));
    await expect(work).rejects.toThrow('no space left');
    expect(await readdir(join(dir, 'nested'))).toEqual([]);
  });

  it('lets one work at a time and tells the others whom they wait for', async () => {
    const waits: ProcessIdentity[] = [];
    let working = 0;
    let mostAtOnce = 0;
    const work = async () => {
      mostAtOnce = Math.max(mostAtOnce, ++working);
      // Long enough for the others to try; the assertion does not depend on it.
      await new Promise((resolve) => setTimeout(resolve, 10));
      working--;
    };
    const options = { everyMs: 1, onWait: (holder: ProcessIdentity) => waits.push(holder) };
    await Promise.all([1, 2, 3].map(() => withLock(file, work, options)));
    expect(mostAtOnce).toBe(1);
    expect(waits).toEqual([ownIdentity(), ownIdentity()]);
  });

  it.each([
    { what: 'a dead process', text: JSON.stringify(DEAD) },
    { what: 'nobody, because it is garbled', text: '{"pid":' },
  ])('is taken over from $what', async ({ text }) => {
    await withLock(file, async () => undefined);
    await writeFile(file, text);
    let waited = false;
    const result = await withLock(file, async () => 'done', { onWait: () => (waited = true) });
    expect(result).toBe('done');
    expect(waited).toBe(false);
    expect(await readdir(join(dir, 'nested'))).toEqual([]);
  });
});
