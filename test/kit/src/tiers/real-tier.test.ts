import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { realTier, tiersLine } from './real-tier.ts';

describe('real tier', () => {
  let assets: string;
  beforeAll(async () => {
    assets = await mkdtemp(join(tmpdir(), 'kit-tier-'));
    for (const name of ['etcd', 'kube-apiserver']) {
      await writeFile(join(assets, name), '#!/bin/sh\necho Kubernetes v1.99.0\n', { mode: 0o755 });
    }
  });
  afterAll(() => rm(assets, { recursive: true }));

  const withAssets = (KLUTCH_TIERS?: string) => ({ env: { KLUTCH_TIERS, KUBEBUILDER_ASSETS: assets } });
  const withoutAssets = (KLUTCH_TIERS?: string) => ({ env: { KLUTCH_TIERS, KUBEBUILDER_ASSETS: '/nowhere' } });

  it.each([undefined, 'real', 'embedded,real'])('takes part when it is there and KLUTCH_TIERS is %j', async (tiers) => {
    expect(await realTier(withAssets(tiers))).toEqual({ available: true, version: '1.99.0' });
  });

  it('stays out when KLUTCH_TIERS leaves it out, even if it is there', async () => {
    const reason = 'KLUTCH_TIERS does not name it';
    expect(await realTier(withAssets('embedded'))).toEqual({ available: false, reason });
  });

  it('stays out with its reason when it is missing and nobody requires it', async () => {
    expect(await realTier(withoutAssets())).toEqual({
      available: false,
      reason: 'KUBEBUILDER_ASSETS is set, but /nowhere/etcd is not a program',
    });
  });

  it('is an error when it is missing and required', async () => {
    await expect(realTier(withoutAssets('embedded,real'))).rejects.toMatchObject({
      code: 'KLUTCH_KIT_TIER_MISSING',
      message: 'KLUTCH_TIERS requires the real tier: KUBEBUILDER_ASSETS is set, but /nowhere/etcd is not a program',
    });
  });

  it('is an error when its name is misspelt, not a tier silently left out', async () => {
    await expect(realTier(withAssets('embedded,rael'))).rejects.toMatchObject({ code: 'KLUTCH_KIT_USAGE' });
  });
});

describe('tiers line', () => {
  it('names what was covered', () => {
    expect(tiersLine({ available: true, version: '1.35.4' })).toBe(
      'tiers covered: embedded, real (kube-apiserver 1.35.4)',
    );
  });

  it('gives the reason for what was not, on one line', () => {
    expect(tiersLine({ available: false, reason: 'cannot build etcd:\nno route to host' })).toBe(
      'tiers covered: embedded; real not run: cannot build etcd: no route to host',
    );
  });
});
