import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { logTail } from './log-tail.ts';

describe('log tail', () => {
  let dir: string;
  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), 'kit-log-'));
  });
  afterAll(() => rm(dir, { recursive: true }));

  it('is the last lines', async () => {
    const file = join(dir, 'long.log');
    await writeFile(file, 'one\ntwo\nthree\n\n');
    expect(await logTail(file, 2)).toBe('two\nthree');
  });

  it('is everything when there is less', async () => {
    const file = join(dir, 'short.log');
    await writeFile(file, 'one\n');
    expect(await logTail(file, 2)).toBe('one');
  });

  it('says so when there is nothing', async () => {
    const file = join(dir, 'empty.log');
    await writeFile(file, '\n');
    expect(await logTail(file)).toBe('(the log is empty)');
    expect(await logTail(join(dir, 'missing.log'))).toBe('(the log is empty)');
  });
});
