import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { readCrossplaneRecipe } from './recipe.ts';
import { resolveCrossplane } from './resolve-crossplane.ts';

describe('resolving Crossplane', () => {
  let dir: string;
  let env: NodeJS.ProcessEnv;
  let reported: string[];

  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), 'kit-crossplane-'));
    env = { PATH: '/nowhere', KLUTCH_KIT_CACHE: join(dir, 'cache') };
    reported = [];
  });
  afterEach(() => rm(dir, { recursive: true }));

  const resolve = () => resolveCrossplane({ env, report: (line) => reported.push(line) });

  /** A `go` that leaves a program for the package it builds, and knows a module with one CRD. */
  async function installGo(): Promise<void> {
    await mkdir(join(dir, 'module', 'cluster', 'crds'), { recursive: true });
    await writeFile(join(dir, 'module', 'cluster', 'crds', 'functions.yaml'), 'kind: CustomResourceDefinition\n');
    const script = `#!/bin/sh
case $1 in
version) echo "go version go1.26.0 test/test";;
list) echo ${dir}/module;;
build)
  while [ "$1" != -o ]; do shift; done
  program=$2$(basename $3); echo > "$program"; chmod +x "$program";;
esac
`;
    await mkdir(join(dir, 'bin'));
    await writeFile(join(dir, 'bin', 'go'), script, { mode: 0o755 });
    env = { ...env, PATH: `${join(dir, 'bin')}:/usr/bin:/bin` };
  }

  it('builds it once with its function, and keeps its CRDs beside it', async () => {
    await installGo();
    const files = await resolve();
    expect(dirname(files.crossplane)).toBe(join(dir, 'cache', (await readCrossplaneRecipe('1.20')).key));
    expect(await readdir(dirname(files.crossplane))).toEqual(['crds', 'crossplane', 'function-patch-and-transform']);
    expect(await readFile(join(files.crds, 'functions.yaml'), 'utf8')).toBe('kind: CustomResourceDefinition\n');
    expect(await resolve()).toEqual(files);
    expect(reported).toEqual([
      expect.stringMatching(/^building Crossplane 1\.20\.\d+ from source, about 2 minutes, once$/),
      expect.stringMatching(/^building function-patch-and-transform 0\.10\.\d+ from source, about 2 minutes, once$/),
      expect.stringMatching(/^built in \d+ s, kept in /),
    ]);
  });

  it('prefers KLUTCH_CROSSPLANE, and does not pass over a wrong one', async () => {
    env = { ...env, KLUTCH_CROSSPLANE: dir };
    await expect(resolve()).rejects.toMatchObject({
      code: 'KLUTCH_KIT_BINARIES_MISSING',
      message: `KLUTCH_CROSSPLANE is set, but ${dir} does not hold crossplane, function-patch-and-transform, crds`,
    });
    await mkdir(join(dir, 'crds'));
    for (const name of ['crossplane', 'function-patch-and-transform']) {
      await writeFile(join(dir, name), '', { mode: 0o755 });
    }
    expect(await resolve()).toMatchObject({ crossplane: join(dir, 'crossplane'), crds: join(dir, 'crds') });
  });

  it('explains itself when there is nothing and no way to build', async () => {
    await expect(resolve()).rejects.toThrow(/^KLUTCH_CROSSPLANE is not set, nothing is cached in .*, and Go 1\.\d+ or/);
  });
});
