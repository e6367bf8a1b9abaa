import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { furtherPrograms, missingLines } from './further-programs.ts';

describe('further programs of a run', () => {
  let dir: string;
  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), 'kit-further-'));
    await mkdir(join(dir, 'keycloak', 'bin'), { recursive: true });
    await mkdir(join(dir, 'crds'));
    const crossplane = ['crossplane', 'function-patch-and-transform'];
    for (const name of [...crossplane, 'dex', 'chromium', 'java', 'keycloak/bin/kc.sh']) {
      await writeFile(join(dir, name), '#!/bin/sh\n', { mode: 0o755 });
    }
  });
  afterAll(() => rm(dir, { recursive: true }));

  const real = { available: true, version: '1.99.0' } as const;
  const noReal = { available: false, reason: 'no Go' } as const;
  const all = () => ({
    PATH: dir,
    KLUTCH_CROSSPLANE: dir,
    KLUTCH_DEX: join(dir, 'dex'),
    KLUTCH_KEYCLOAK: join(dir, 'keycloak'),
  });

  it('are all there when nothing is missing', async () => {
    const missing = await furtherPrograms(real, { env: all() });
    expect(missing).toEqual({ crossplane: undefined, dex: undefined, keycloak: undefined, chromium: undefined });
    expect(missingLines(real, missing)).toEqual([]);
  });

  it('are looked for without the real tier only if they do not belong to it', async () => {
    const missing = await furtherPrograms(noReal, { env: { PATH: '/nowhere', KLUTCH_DEX: '/nowhere/dex' } });
    expect(missing).toMatchObject({ crossplane: 'no Go', dex: 'no Go', keycloak: 'no Go' });
    expect(missingLines(noReal, missing)).toEqual([expect.stringMatching(/^tests with chromium not run: /)]);
  });

  it('may be missing when nobody requires them', async () => {
    const missing = await furtherPrograms(real, { env: { ...all(), KLUTCH_DEX: '/nowhere/dex' } });
    expect(missing.dex).toBe('KLUTCH_DEX is set, but /nowhere/dex is not a program');
    expect(missingLines(real, missing)).toEqual([`tests with dex not run: ${missing.dex}`]);
  });

  it.each(['KLUTCH_CROSSPLANE', 'KLUTCH_DEX', 'KLUTCH_KEYCLOAK', 'KLUTCH_CHROMIUM'])(
    'must be there when the real tier is required: %s',
    async (variable) => {
      const env = { ...all(), [variable]: '/nowhere', KLUTCH_TIERS: 'embedded,real' };
      await expect(furtherPrograms(real, { env })).rejects.toMatchObject({
        code: 'KLUTCH_KIT_TIER_MISSING',
        message: expect.stringMatching(/^KLUTCH_TIERS requires the real tier: .*\/nowhere/),
      });
    },
  );
});
