import { appendFile, cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { GO_SOURCES, readCrossplaneRecipe, readDexRecipe, readRecipe } from './recipe.ts';

describe('recipe', () => {
  let sources: string;
  beforeEach(async () => {
    sources = await mkdtemp(join(tmpdir(), 'kit-recipe-'));
    await cp(GO_SOURCES, sources, { recursive: true });
  });
  afterEach(() => rm(sources, { recursive: true }));

  it('takes versions and the oldest usable Go from the modules', async () => {
    const recipe = await readRecipe();
    expect(recipe.key).toMatch(/^kubernetes-1\.35\.\d+-etcd-3\.6\.\d+-[0-9a-f]{12}$/);
    expect(recipe.minimumGo).toBe('1.25');
    expect(recipe.steps.map((step) => step.title)).toEqual([
      expect.stringMatching(/^etcd 3\.6\.\d+$/),
      expect.stringMatching(/^kube-apiserver and kube-controller-manager 1\.35\.\d+$/),
    ]);
  });

  it('stamps the Kubernetes version into the programs', async () => {
    const flags = (await readRecipe()).steps[1]?.linkerFlags;
    expect(flags).toMatch(/-X k8s\.io\/component-base\/version\.gitVersion=v1\.35\.\d+/);
    expect(flags).toContain('-X k8s.io/component-base/version.gitMinor=35');
  });

  it('has the same key wherever the sources are', async () => {
    expect((await readRecipe(sources)).key).toBe((await readRecipe()).key);
  });

  it('has another key when any source changes', async () => {
    const { key } = await readRecipe();
    for (const file of ['etcd/main.go', 'kubernetes/go.sum', 'kubernetes/kube-apiserver/main.go']) {
      const before = (await readRecipe(sources)).key;
      await appendFile(join(sources, file), '\n');
      expect((await readRecipe(sources)).key).not.toBe(before);
    }
    expect((await readRecipe()).key).toBe(key);
  });

  it('has the same key when only the sources of another recipe change', async () => {
    const { key } = await readRecipe(sources);
    const dex = await readDexRecipe(sources);
    await appendFile(join(sources, 'dex/go.sum'), '\n');
    expect((await readRecipe(sources)).key).toBe(key);
    expect((await readDexRecipe(sources)).key).not.toBe(dex.key);
    expect(dex.key).toMatch(/^dex-0\.0\.0-\S+-[0-9a-f]{12}$/);
  });

  it('builds Crossplane and its function together, each from a module of its own', async () => {
    const recipe = await readCrossplaneRecipe('1.20');
    expect(recipe.key).toMatch(/^crossplane-1\.20\.\d+-function-0\.10\.\d+-[0-9a-f]{12}$/);
    expect(recipe.steps.map(({ module, kept }) => [basename(module), kept?.as])).toEqual([
      ['crossplane-1.20', 'crds'],
      ['function-patch-and-transform', undefined],
    ]);
    expect(recipe.steps[0]?.linkerFlags).toMatch(/-X \S+\/version\.version=v1\.20\.\d+$/);
  });

  it('names the module that a broken go.mod does not require', async () => {
    await rm(join(sources, 'etcd/go.mod'));
    await appendFile(join(sources, 'etcd/go.mod'), 'module empty\n');
    await expect(readRecipe(sources)).rejects.toThrow('does not require go.etcd.io/etcd/server/v3');
  });
});
