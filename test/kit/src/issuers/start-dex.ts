import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { resolveDex } from '../binaries/resolve-dex.ts';
import { createPlaneFolder } from '../plane/folder.ts';
import { freePort } from '../plane/free-port.ts';
import { awaitReady } from '../process/await-ready.ts';
import { startComponent } from '../process/component.ts';
import { emailOf, KIT_PASSWORD_HASH, type KitClient, type KitIssuer, type KitUser } from './issuer-users.ts';
import { onFreePort } from '../process/on-free-port.ts';

export interface StartDexOptions {
  readonly users: readonly KitUser[];
  readonly clients: readonly KitClient[];
  /** Path of the program. Default: that of `resolveDex()`. */
  readonly program?: string;
  /** Port on 127.0.0.1. Default: any that is free. */
  readonly port?: number;
  /** How long ID tokens are good for, as Dex writes it. Default `1h`. */
  readonly idTokens?: string;
  /** Default 60 000. */
  readonly startTimeoutMs?: number;
}

/**
 * Starts Dex with fixed users (password {@link KIT_PASSWORD}) and clients, and its data in memory. It logs in by
 * authorization code and by device code; it knows no client credentials. Whatever happens to this process, Dex ends with it.
 */
export async function startDex(options: StartDexOptions): Promise<KitIssuer> {
  const { program = await resolveDex(), startTimeoutMs = 60_000 } = options;
  const dir = await createPlaneFolder();
  const pickPort = options.port === undefined ? freePort : async () => options.port ?? 0;
  return onFreePort(pickPort, async (port) => {
    const url = `http://127.0.0.1:${port}/dex`;
    await writeFile(join(dir, 'dex.json'), JSON.stringify(dexConfig(url, port, options)), { mode: 0o600 });
    const dex = await startComponent({
      name: 'dex',
      command: program,
      args: ['serve', 'dex.json'],
      cwd: dir,
      logFile: join(dir, 'dex.log'),
    });
    const isReady = async () => (await fetch(`${url}/healthz`, { signal: AbortSignal.timeout(2_000) })).ok;
    await awaitReady(dex, isReady, startTimeoutMs);
    const stop = async () => {
      await dex.stop();
      await rm(dir, { recursive: true, force: true });
    };
    return { url, pid: dex.pid, stop };
  });
}

/** Dex reads YAML, of which JSON is a part. */
function dexConfig(issuer: string, port: number, { users, clients, idTokens = '1h' }: StartDexOptions): object {
  return {
    issuer,
    storage: { type: 'memory' },
    web: { http: `127.0.0.1:${port}` },
    oauth2: { skipApprovalScreen: true },
    expiry: { idTokens },
    enablePasswordDB: true,
    staticPasswords: users.map((user) => ({
      email: emailOf(user),
      hash: KIT_PASSWORD_HASH,
      username: user.name,
      preferredUsername: user.name,
      userID: `id-of-${user.name}`,
      groups: user.groups ?? [],
    })),
    staticClients: clients.map(({ id, secret, redirectUris }) => ({
      id,
      secret,
      name: id,
      redirectURIs: [...redirectUris, '/device/callback'],
    })),
  };
}
