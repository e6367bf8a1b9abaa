import { cp, mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { type KeycloakFiles, resolveKeycloak } from '../binaries/resolve-keycloak.ts';
import { createPlaneFolder } from '../plane/folder.ts';
import { freePort } from '../plane/free-port.ts';
import { awaitReady } from '../process/await-ready.ts';
import { startComponent } from '../process/component.ts';
import type { KitIssuer } from './issuer-users.ts';
import { keycloakRealm, type RealmContent } from './keycloak-realm.ts';
import { onFreePort } from '../process/on-free-port.ts';

export interface StartKeycloakOptions extends RealmContent {
  /** Default: those of `resolveKeycloak()`. */
  readonly files?: KeycloakFiles;
  /** Name of the realm. Default `klutch`. */
  readonly realm?: string;
  /** Default 300 000: Java is slow on a busy machine. */
  readonly startTimeoutMs?: number;
}

/**
 * Starts Keycloak with one realm of fixed users (password `KIT_PASSWORD`) and clients, and its data in memory; that takes
 * ten seconds or more. Any number of them run side by side. Whatever happens to this process, Keycloak ends with it.
 */
export async function startKeycloak(options: StartKeycloakOptions): Promise<KitIssuer> {
  const { files = await resolveKeycloak(), realm = 'klutch', startTimeoutMs = 300_000 } = options;
  const dir = await createPlaneFolder();
  await layOut(dir, files);
  const imported = join(dir, 'data', 'import', 'realm.json');
  await writeFile(imported, JSON.stringify(keycloakRealm(realm, options)), { mode: 0o600 });
  return onFreePort(freePort, async (port) => {
    const origin = `http://127.0.0.1:${port}`;
    const managementPort = await freePort();
    const url = `${origin}/realms/${realm}`;
    const keycloak = await startComponent({
      name: 'keycloak',
      command: 'bash',
      args: ['bin/kc.sh', ...startFlags(origin, port, managementPort)],
      cwd: dir,
      logFile: join(dir, 'keycloak.log'),
      env: { ...process.env, JAVA_OPTS_KC_HEAP: '-Xms64m -Xmx512m', JAVA_OPTS_APPEND: '-XX:TieredStopAtLevel=1' },
    });
    const isReady = async () => {
      const answer = await fetch(`${url}/.well-known/openid-configuration`, { signal: AbortSignal.timeout(20_000) });
      return answer.ok;
    };
    await awaitReady(keycloak, isReady, startTimeoutMs);
    const stop = async () => {
      // Nothing of it is worth an orderly end, which takes Java seconds.
      await keycloak.kill();
      await rm(dir, { recursive: true, force: true });
    };
    return { url, pid: keycloak.pid, stop };
  });
}

function startFlags(origin: string, port: number, managementPort: number): readonly string[] {
  return [
    'start',
    '--optimized',
    '--import-realm',
    '--cache=local',
    '--http-enabled=true',
    '--http-host=127.0.0.1',
    `--http-port=${port}`,
    `--http-management-port=${managementPort}`,
    `--hostname=${origin}`,
  ];
}

/** A home of its own, as Keycloak writes below it; the large parts, which it only reads, are shared. */
async function layOut(dir: string, { home }: KeycloakFiles): Promise<void> {
  for (const copied of ['bin', 'conf']) await cp(join(home, copied), join(dir, copied), { recursive: true });
  for (const shared of ['lib', 'providers', 'themes']) await symlink(join(home, shared), join(dir, shared));
  await mkdir(join(dir, 'data', 'import'), { recursive: true });
}
