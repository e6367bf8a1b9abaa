import { access, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { readDexRecipe } from './recipe.ts';
import { resolveDex } from './resolve-dex.ts';
import { KEYCLOAK_VERSION, resolveKeycloak } from './resolve-keycloak.ts';

let dir: string;
let env: NodeJS.ProcessEnv;
let reported: string[];

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'kit-issuers-'));
  await mkdir(join(dir, 'bin'));
  env = { PATH: '/nowhere', KLUTCH_KIT_CACHE: join(dir, 'cache') };
  reported = [];
});
afterEach(() => rm(dir, { recursive: true }));

const report = (line: string) => void reported.push(line);

/** A program in the PATH that notes how it was called. */
async function install(name: string, script: string): Promise<void> {
  await writeFile(join(dir, 'bin', name), `#!/bin/sh\necho "${name} $*" >> ${dir}/calls\n${script}\n`, { mode: 0o755 });
  env = { ...env, PATH: `${join(dir, 'bin')}:/usr/bin:/bin` };
}

async function calls(name: string): Promise<string[]> {
  const lines = (await readFile(join(dir, 'calls'), 'utf8')).trim().split('\n');
  return lines.filter((line) => line.startsWith(`${name} `));
}

describe('resolving Dex', () => {
  const resolve = () => resolveDex({ env, report });
  const go = (build: string) => install('go', `[ "$1" = version ] && echo go1.26.0 && exit\n${build}`);
  const LEAVE_DEX = 'while [ "$1" != -o ]; do shift; done; echo > "$2/dex"; chmod +x "$2/dex"';

  it('prefers KLUTCH_DEX, and does not pass over a wrong one', async () => {
    env = { ...env, KLUTCH_DEX: join(dir, 'my-dex') };
    await expect(resolve()).rejects.toThrow(`KLUTCH_DEX is set, but ${join(dir, 'my-dex')} is not a program`);
    await writeFile(join(dir, 'my-dex'), '', { mode: 0o755 });
    expect(await resolve()).toBe(join(dir, 'my-dex'));
  });

  it('builds it once from the module of the kit, and keeps it', async () => {
    await go(LEAVE_DEX);
    const dex = await resolve();
    expect(dirname(dex)).toBe(join(dir, 'cache', (await readDexRecipe()).key));
    expect(await resolve()).toBe(dex);
    expect((await calls('go')).filter((call) => call.includes('build'))).toEqual([
      expect.stringMatching(/ -mod=readonly .* github\.com\/dexidp\/dex\/cmd\/dex$/),
    ]);
    expect(reported[0]).toMatch(/^building Dex 0\.0\.0-\S+ from source, about 2 minutes, once$/);
  });

  it('explains itself when there is nothing and no way to build', async () => {
    await expect(resolve()).rejects.toMatchObject({
      code: 'KLUTCH_KIT_BINARIES_MISSING',
      message: expect.stringMatching(/^KLUTCH_DEX is not set, nothing is cached in .*, and Go 1\.\d+ or later is not/),
    });
  });

  it('does not take a build for granted that failed or left nothing', async () => {
    await go('exit 0');
    await expect(resolve()).rejects.toThrow('the build left no');
    await go('echo "no route to host" >&2; exit 1');
    await expect(resolve()).rejects.toThrow(/cannot build Dex .*:\nno route to host/);
  });
});

describe('resolving Keycloak', () => {
  const resolve = () => resolveKeycloak({ env, report });
  const ARCHIVE = `
for option; do case $option in -DoutputDirectory=*) out=\${option#*=}/keycloak-x;; esac; done
[ -z "$out" ] && exit
mkdir -p "$out/bin" "$out/lib"; echo 'echo "kc.sh $*" >> "$CALLS"' > "$out/bin/kc.sh"`;

  beforeEach(async () => {
    env = { ...env, CALLS: join(dir, 'calls') };
    await install('java', '');
  });

  it('prefers KLUTCH_KEYCLOAK, and does not pass over a wrong one', async () => {
    const home = join(dir, 'mine');
    env = { ...env, KLUTCH_KEYCLOAK: home };
    await expect(resolve()).rejects.toThrow(`${home} does not hold a prepared Keycloak`);
    await mkdir(join(home, 'bin'), { recursive: true });
    await writeFile(join(home, 'bin', 'kc.sh'), '');
    expect(await resolve()).toEqual({ home });
  });

  it('fetches it once, prepares it, and keeps only what it needs', async () => {
    await install('mvn', ARCHIVE);
    const { home } = await resolve();
    expect(dirname(home)).toBe(join(dir, 'cache'));
    expect((await readdir(home)).sort()).toEqual(['bin', 'lib']);
    expect(await resolve()).toEqual({ home });
    expect(await calls('kc.sh')).toEqual(['kc.sh build --db=dev-mem --health-enabled=true']);
    expect((await calls('mvn')).filter((call) => call.includes('unpack'))).toEqual([
      expect.stringContaining(`-Dartifact=org.keycloak:keycloak-quarkus-dist:${KEYCLOAK_VERSION}:zip`),
    ]);
    expect(reported).toHaveLength(3);
  });

  it('leaves nothing half done when fetching fails', async () => {
    await install('mvn', '[ "$1" = -version ] && exit; echo "unknown host" >&2; exit 1');
    await expect(resolve()).rejects.toMatchObject({
      code: 'KLUTCH_KIT_BUILD_FAILED',
      message: 'cannot fetch or prepare Keycloak:\nunknown host',
    });
    await expect(access(join(dir, 'cache', `keycloak-${KEYCLOAK_VERSION}-dev-mem`))).rejects.toThrow();
  });

  it('names what is missing', async () => {
    env = { ...env, PATH: join(dir, 'bin') };
    await writeFile(join(dir, 'bin', 'java'), '#!/bin/sh\n', { mode: 0o755 });
    await expect(resolve()).rejects.toThrow('Maven (mvn) is not installed');
    env = { ...env, PATH: '/nowhere' };
    await expect(resolve()).rejects.toThrow('Keycloak needs Java 17 or later');
  });
});
