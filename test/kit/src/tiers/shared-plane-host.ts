import { createServer, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';

import { startCrossplane } from '../crossplane/start-crossplane.ts';
import { createPlaneFolder } from '../plane/folder.ts';
import type { Plane } from '../plane/plane.ts';
import { startPlane } from '../plane/start-plane.ts';

/** Owns the planes that all test files of a run share. */
export interface SharedPlaneHost {
  /** Path of the socket on which {@link askForSharedPlane} reaches the host. */
  readonly socketPath: string;
  /** Stops the planes somebody asked for, and the host. */
  close(): Promise<void>;
}

/** Name of the shared plane on which Crossplane runs. */
export const CROSSPLANE_PLANE = 'crossplane';

/** What the host answers. */
export type SharedPlaneAnswer = { readonly dir: string } | { readonly error: string };

/**
 * Waits for workers that want a shared plane and starts it for the first who names it. It lives in the process of the
 * whole run, because a plane ends with the process that started it and workers come and go.
 */
export async function hostSharedPlane(start: (name: string) => Promise<Plane> = startNamed): Promise<SharedPlaneHost> {
  const folder = await createPlaneFolder();
  const socketPath = join(folder, 'kit.sock');
  const planes = new Map<string, Promise<Plane>>();
  const server = createServer((request, response) => {
    const name = (request.url ?? '/').slice(1);
    const plane = planes.get(name) ?? start(name);
    planes.set(name, plane);
    void answer(plane, response);
  });
  server.listen(socketPath);
  await once(server, 'listening');

  const close = async () => {
    server.close();
    server.closeAllConnections();
    await Promise.all([...planes.values()].map(async (plane) => (await plane.catch(() => undefined))?.stop()));
    await rm(folder, { recursive: true, force: true });
  };
  return { socketPath, close };
}

async function startNamed(name: string): Promise<Plane> {
  const plane = await startPlane();
  if (name === CROSSPLANE_PLANE) await startCrossplane({ plane });
  return plane;
}

async function answer(plane: Promise<Plane>, response: ServerResponse): Promise<void> {
  const body: SharedPlaneAnswer = await plane.then(
    ({ dir }) => ({ dir }),
    (error: unknown) => ({ error: error instanceof Error ? error.message : String(error) }),
  );
  response.setHeader('content-type', 'application/json').end(JSON.stringify(body));
}
