import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { readRecipe } from './recipe.ts';
import { resolveBinaries } from './resolve.ts';
import { cacheRootOf } from './resolve-built.ts';

describe('resolving binaries', () => {
  let dir: string;
  let env: NodeJS.ProcessEnv;
  let reported: string[];

  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), 'kit-resolve-'));
    env = { PATH: '/nowhere', KLUTCH_KIT_CACHE: join(dir, 'cache') };
    reported = [];
  });
  afterEach(() => rm(dir, { recursive: true }));

  const resolve = () => resolveBinaries({ env, report: (line) => reported.push(line) });

  async function putPrograms(folder: string, names: readonly string[]): Promise<void> {
    await mkdir(folder, { recursive: true });
    for (const name of names) await writeFile(join(folder, name), '#!/bin/sh\n', { mode: 0o755 });
  }

  /** A `go` that notes how it was called and leaves a program for each package asked for. */
  async function installGo(build: string): Promise<void> {
    const bin = join(dir, 'bin');
    const script = `#!/bin/sh
if [ "$1" = version ]; then echo "go version go1.26.0 test/test"; exit 0; fi
echo "$PWD $* GOWORK=$GOWORK" >> ${dir}/calls
while [ "$1" != -o ]; do shift; done
out=$2; shift 2
${build}
`;
    await mkdir(bin);
    await writeFile(join(bin, 'go'), script);
    await chmod(join(bin, 'go'), 0o755);
    env = { ...env, PATH: `${bin}:/usr/bin:/bin` };
  }

  const LEAVE_PROGRAMS = `
for package; do
  case $package in .) name=etcd;; *) name=\${package#./};; esac
  printf '#!/bin/sh\\n' > "$out$name"; chmod +x "$out$name"
done`;

  it('prefers KUBEBUILDER_ASSETS, with or without a controller manager', async () => {
    const assets = join(dir, 'assets');
    env = { ...env, KUBEBUILDER_ASSETS: assets };
    await putPrograms(assets, ['etcd', 'kube-apiserver']);
    const bare = { etcd: join(assets, 'etcd'), kubeApiserver: join(assets, 'kube-apiserver') };
    expect(await resolve()).toEqual(bare);

    await putPrograms(assets, ['kube-controller-manager']);
    expect(await resolve()).toEqual({ ...bare, kubeControllerManager: join(assets, 'kube-controller-manager') });
  });

  it('does not pass over a KUBEBUILDER_ASSETS that names the wrong folder', async () => {
    const assets = join(dir, 'assets');
    env = { ...env, KUBEBUILDER_ASSETS: assets };
    await putPrograms(assets, ['etcd']);
    await writeFile(join(assets, 'kube-apiserver'), 'not executable', { mode: 0o644 });
    await expect(resolve()).rejects.toMatchObject({
      code: 'KLUTCH_KIT_BINARIES_MISSING',
      message: `KUBEBUILDER_ASSETS is set, but ${join(assets, 'kube-apiserver')} is not a program`,
    });
  });

  it('takes what is cached without asking for Go', async () => {
    const folder = join(dir, 'cache', (await readRecipe()).key);
    await putPrograms(folder, ['etcd', 'kube-apiserver', 'kube-controller-manager']);
    expect(dirname((await resolve()).kubeApiserver)).toBe(folder);
    expect(reported).toEqual([]);
  });

  it('explains itself when there is nothing and no way to build', async () => {
    await expect(resolve()).rejects.toMatchObject({
      code: 'KLUTCH_KIT_BINARIES_MISSING',
      message: `KUBEBUILDER_ASSETS is not set, nothing is cached in ${join(dir, 'cache')}, and Go 1.25 or later is not installed`,
    });
  });

  it('builds once, says so, and keeps the result', async () => {
    await installGo(LEAVE_PROGRAMS);
    const { key } = await readRecipe();

    const built = await resolve();
    expect(dirname(built.etcd)).toBe(join(dir, 'cache', key));
    expect(reported).toEqual([
      expect.stringMatching(/^building etcd 3\.\S+ from source, about half a minute, once$/),
      expect.stringMatching(/^building kube-apiserver and \S+ 1\.\S+ from source, about 5 minutes, once$/),
      expect.stringMatching(/^built in \d+ s, kept in /),
    ]);

    expect(await resolve()).toEqual(built);
    expect(await calls()).toHaveLength(2);
  });

  it('builds reproducibly and outside of any Go workspace', async () => {
    await installGo(LEAVE_PROGRAMS);
    await resolve();
    for (const call of await calls()) {
      expect(call).toMatch(/kit\/go\/(etcd|kubernetes) build -trimpath -mod=readonly -ldflags=-s -w.* GOWORK=off$/);
    }
  });

  it('builds once when several ask at the same time', async () => {
    await installGo(`sleep 0.05; ${LEAVE_PROGRAMS}`);
    const all = await Promise.all([resolve(), resolve(), resolve()]);
    expect(new Set(all.map(({ etcd }) => etcd)).size).toBe(1);
    expect(await calls()).toHaveLength(2);
    expect(reported.filter((line) => line.startsWith(`waiting for process ${process.pid}`))).toHaveLength(2);
  });

  it('replaces an incomplete folder', async () => {
    await installGo(LEAVE_PROGRAMS);
    await putPrograms(join(dir, 'cache', (await readRecipe()).key), ['etcd']);
    const { kubeControllerManager } = await resolve();
    expect(await readFile(String(kubeControllerManager), 'utf8')).toBe('#!/bin/sh\n');
  });

  it('shows what Go said when the build fails, and leaves nothing half done', async () => {
    await installGo('echo "dial tcp: no route to host" >&2; exit 1');
    await expect(resolve()).rejects.toMatchObject({
      code: 'KLUTCH_KIT_BUILD_FAILED',
      message: expect.stringMatching(/^cannot build etcd 3\.\S+:\ndial tcp: no route to host$/),
    });
    expect(await readdir(join(dir, 'cache'))).toEqual(['building']);
    expect(await readdir(join(dir, 'cache', 'building'))).toEqual([]);
  });

  it('does not take a build for granted that left nothing', async () => {
    await installGo('exit 0');
    await expect(resolve()).rejects.toThrow('the build left no complete set of programs');
  });

  it.each([
    [{ KLUTCH_KIT_CACHE: '/here', XDG_CACHE_HOME: '/there' }, '/here'],
    [{ XDG_CACHE_HOME: '/there' }, '/there/klutch/kit'],
    [{ XDG_CACHE_HOME: '' }, join(homedir(), '.cache/klutch/kit')],
    [{}, join(homedir(), '.cache/klutch/kit')],
  ])('caches for %j in %s', (variables, root) => {
    expect(cacheRootOf(variables)).toBe(root);
  });

  async function calls(): Promise<string[]> {
    return (await readFile(join(dir, 'calls'), 'utf8')).trim().split('\n');
  }
});
