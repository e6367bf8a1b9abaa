import { execFile } from 'node:child_process';
import { access, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { KitError } from '../kit-error.ts';
import { startComponent } from '../process/component.ts';
import { logTail } from '../process/log-tail.ts';
import { keepInCache } from './keep-in-cache.ts';
import { cacheRootOf, missing, reportToStderr, type ResolveOptions } from './resolve-built.ts';

/** The version the tests run with. */
export const KEYCLOAK_VERSION = '26.0.7';

/** Where Maven has the archive. */
const ARTIFACT = `org.keycloak:keycloak-quarkus-dist:${KEYCLOAK_VERSION}:zip`;
const UNPACK = 'org.apache.maven.plugins:maven-dependency-plugin:3.6.1:unpack';

/** Options that Keycloak has to know at build time; they come first in what it calls an optimised start. */
const BUILD_OPTIONS = ['--db=dev-mem', '--health-enabled=true'];

/** Where Keycloak is: unpacked, and prepared for a database in memory. */
export interface KeycloakFiles {
  readonly home: string;
}

/**
 * Finds Keycloak: the folder that `KLUTCH_KEYCLOAK` names, else in the cache, else fetched with the machine's Maven,
 * prepared with its Java and kept in the cache. Rejects with the reason when none of these is possible.
 */
export async function resolveKeycloak(options: Omit<ResolveOptions, 'goSources'> = {}): Promise<KeycloakFiles> {
  const { env = process.env, report = reportToStderr } = options;
  await requireJava(env);
  if (env.KLUTCH_KEYCLOAK) {
    if (await isKeycloak(env.KLUTCH_KEYCLOAK)) return { home: env.KLUTCH_KEYCLOAK };
    throw missing(`KLUTCH_KEYCLOAK is set, but ${env.KLUTCH_KEYCLOAK} does not hold a prepared Keycloak`);
  }
  const cacheRoot = cacheRootOf(env);
  const key = `keycloak-${KEYCLOAK_VERSION}-dev-mem`;
  const home = join(cacheRoot, key);
  if (await isKeycloak(home)) return { home };

  if (!(await runs('mvn', ['-version'], env))) {
    throw missing(`KLUTCH_KEYCLOAK is not set, nothing is cached in ${cacheRoot}, and Maven (mvn) is not installed`);
  }
  const make = async (folder: string, logFile: string) => {
    report(`fetching Keycloak ${KEYCLOAK_VERSION} with Maven, 147 MB, once`);
    await fetchInto(folder, logFile, env);
    report(`preparing Keycloak ${KEYCLOAK_VERSION}, about half a minute, once`);
    await run('bash', ['bin/kc.sh', 'build', ...BUILD_OPTIONS], { cwd: folder, logFile, env });
  };
  await keepInCache({ cacheRoot, key, report, isKept: () => isKeycloak(home), make });
  if (await isKeycloak(home)) return { home };
  throw missing(`fetching left no Keycloak in ${home}`);
}

async function fetchInto(folder: string, logFile: string, env: NodeJS.ProcessEnv): Promise<void> {
  const unpacked = join(folder, 'unpacked');
  const args = ['-q', '-B', UNPACK, `-Dartifact=${ARTIFACT}`, `-DoutputDirectory=${unpacked}`];
  await run('mvn', [...args, `-DmarkersDirectory=${join(folder, 'markers')}`], { cwd: folder, logFile, env });
  const [name = ''] = await readdir(unpacked);
  for (const entry of await readdir(join(unpacked, name))) {
    await rename(join(unpacked, name, entry), join(folder, entry));
  }
  for (const leftover of ['unpacked', 'markers']) await rm(join(folder, leftover), { recursive: true, force: true });
}

async function run(
  command: string,
  args: readonly string[],
  { cwd, logFile, env }: { readonly cwd: string; readonly logFile: string; readonly env: NodeJS.ProcessEnv },
): Promise<void> {
  const component = await startComponent({ name: command, command, args, cwd, logFile, env });
  const { code } = await component.exited;
  if (code === 0) return;
  throw new KitError('KLUTCH_KIT_BUILD_FAILED', `cannot fetch or prepare Keycloak:\n${await logTail(logFile, 10)}`);
}

async function requireJava(env: NodeJS.ProcessEnv): Promise<void> {
  if (await runs('java', ['-version'], env)) return;
  throw missing('Keycloak needs Java 17 or later, which is not installed');
}

async function runs(command: string, args: readonly string[], env: NodeJS.ProcessEnv): Promise<boolean> {
  return promisify(execFile)(command, [...args], { env }).then(
    () => true,
    () => false,
  );
}

async function isKeycloak(folder: string): Promise<boolean> {
  return access(join(folder, 'bin', 'kc.sh')).then(
    () => true,
    () => false,
  );
}
