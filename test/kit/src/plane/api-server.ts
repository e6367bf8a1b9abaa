import { join } from 'node:path';

import { awaitReady } from '../process/await-ready.ts';
import { type Component, startComponent } from '../process/component.ts';
import { apiServerFlags } from './flags.ts';
import type { PreparedPlane } from './prepare.ts';
import { planeRequest } from './request.ts';

/** A ready API server and where it listens. */
export interface ApiServer {
  readonly component: Component;
  readonly port: number;
  readonly url: string;
}

/** How to start the API server of a plane. */
export interface ApiServerStart {
  readonly plane: PreparedPlane;
  readonly command: string;
  readonly timeoutMs: number;
  /** Names the port to try; asked again when somebody else has taken that one. */
  readonly pickPort: () => Promise<number>;
}

const PORT_ATTEMPTS = 5;

/** Starts kube-apiserver and waits until `/readyz` says ok. */
export async function startApiServer(start: ApiServerStart): Promise<ApiServer> {
  for (let attempt = 1; ; attempt++) {
    const port = await start.pickPort();
    try {
      return await startOnPort(start, port);
    } catch (error) {
      if (attempt === PORT_ATTEMPTS || !isPortTaken(error)) throw error;
    }
  }
}

async function startOnPort({ plane, command, timeoutMs }: ApiServerStart, port: number): Promise<ApiServer> {
  const url = `https://127.0.0.1:${port}`;
  const component = await startComponent({
    name: 'kube-apiserver',
    command,
    args: apiServerFlags(port, plane.options),
    cwd: plane.dir,
    logFile: join(plane.dir, 'kube-apiserver.log'),
  });
  const ask = planeRequest({ url, certificateAuthority: plane.pki.certificate }, plane.admin);
  const isReady = async () => (await ask('GET', '/readyz', { timeoutMs: 2_000 })).status === 200;
  await awaitReady(component, isReady, timeoutMs);
  return { component, port, url };
}

function isPortTaken(error: unknown): boolean {
  return error instanceof Error && error.message.includes('address already in use');
}
