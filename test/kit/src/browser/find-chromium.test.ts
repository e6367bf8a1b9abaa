import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { findChromium } from './find-chromium.ts';

describe('finding Chromium', () => {
  let dir: string;
  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), 'kit-chromium-'));
  });
  afterEach(() => rm(dir, { recursive: true }));

  it('takes the program that KLUTCH_CHROMIUM names, and no other when that is wrong', async () => {
    const program = join(dir, 'mine');
    const env = { KLUTCH_CHROMIUM: program, PATH: process.env.PATH };
    await expect(findChromium(env)).rejects.toThrow(`KLUTCH_CHROMIUM is set, but ${program} is not a program`);
    await writeFile(program, '', { mode: 0o755 });
    expect(await findChromium(env)).toBe(program);
  });

  it('looks in the PATH, where Chrome will do as well', async () => {
    await writeFile(join(dir, 'google-chrome'), '', { mode: 0o755 });
    expect(await findChromium({ PATH: `/nowhere:${dir}` })).toBe(join(dir, 'google-chrome'));
    await writeFile(join(dir, 'chromium'), '', { mode: 0o755 });
    expect(await findChromium({ PATH: `/nowhere:${dir}` })).toBe(join(dir, 'chromium'));
  });

  it('says what to do when there is none', async () => {
    await expect(findChromium({ PATH: dir })).rejects.toMatchObject({
      code: 'KLUTCH_KIT_BINARIES_MISSING',
      message: expect.stringContaining('apt-get install chromium'),
    });
  });
});
