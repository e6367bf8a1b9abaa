import { connect } from 'node:net';
import { once } from 'node:events';
import { join } from 'node:path';

import { freePort } from '../plane/free-port.ts';
import type { PlaneUser } from '../plane/user.ts';
import { awaitReady } from '../process/await-ready.ts';
import { type Component, startComponent } from '../process/component.ts';
import { onFreePort } from '../process/on-free-port.ts';
import { send } from './send.ts';

/** The name under which the steps of Compositions refer to the function. */
export const PATCH_AND_TRANSFORM = 'function-patch-and-transform';

const REVISIONS = '/apis/pkg.crossplane.io/v1/functionrevisions';

/** A function that runs beside Crossplane. */
export interface RunningFunction {
  readonly component: Component;
  readonly port: number;
}

/** How a program of Crossplane is started. */
export interface Program {
  readonly command: string;
  /** Folder with the certificates by which Crossplane and functions know each other. */
  readonly certificates: string;
  /** Working folder, for the log as well. */
  readonly dir: string;
  readonly timeoutMs: number;
}

/** Starts `function-patch-and-transform` and waits until it listens. */
export async function startFunction({ command, certificates, dir, timeoutMs }: Program): Promise<RunningFunction> {
  return onFreePort(freePort, async (port) => {
    const component = await startComponent({
      name: PATCH_AND_TRANSFORM,
      command,
      args: [`--address=127.0.0.1:${port}`, `--tls-certs-dir=${certificates}`],
      cwd: dir,
      logFile: join(dir, `${PATCH_AND_TRANSFORM}.log`),
    });
    await awaitReady(component, () => listens(port), timeoutMs);
    return { component, port };
  });
}

/**
 * Tells Crossplane where the function is, as if its package manager had installed it. The package manager itself is told to
 * leave the revision alone.
 */
export async function registerFunction(user: PlaneUser, port: number): Promise<void> {
  const name = `${PATCH_AND_TRANSFORM}-kit`;
  await send(user, 'POST', REVISIONS, {
    apiVersion: 'pkg.crossplane.io/v1',
    kind: 'FunctionRevision',
    metadata: {
      name,
      labels: { 'pkg.crossplane.io/package': PATCH_AND_TRANSFORM },
      annotations: { 'crossplane.io/paused': 'true' },
    },
    spec: { desiredState: 'Active', image: `kit.example/${PATCH_AND_TRANSFORM}:kit`, revision: 1 },
  });
  // Crossplane 2 runs only functions that say what they can do; 1.20 does not know the field.
  const status = { endpoint: `dns:///127.0.0.1:${port}`, capabilities: ['composition'] };
  await send(user, 'PATCH', `${REVISIONS}/${name}/status`, { status }, 'application/merge-patch+json');
}

async function listens(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } finally {
    socket.destroy();
  }
}
