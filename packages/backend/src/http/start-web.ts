import type { Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { KlutchError } from '@klutch/api';
import { type HealthCheck, systemClock, whenAborted } from '@klutch/kube';
import type { FastifyInstance } from 'fastify';
import { follow } from '../process/follow.ts';
import type { ListenOptions } from '../process/options.ts';
import { createWeb } from './create-web.ts';
import { defaultTiming, type WebDeps } from './deps.ts';
import { followKeyPair } from './tls.ts';

export interface WebServer {
  /** The port it listens on. */
  readonly port: number;
  /** What has to hold for people and machines to bind. */
  readonly readyz: readonly HealthCheck[];
  /** Resolves when the server has ended and all its connections are closed. */
  readonly stopped: Promise<void>;
}

/**
 * Serves the web routes until the signal aborts; then requests under way are still answered, for a while. Throws
 * `KLUTCH_BACKEND_PORT_IN_USE`, and like {@link createWeb}.
 */
export async function startWeb(
  deps: Omit<WebDeps, 'tls'>,
  listen: ListenOptions,
  signal: AbortSignal,
): Promise<WebServer> {
  const { tls } = listen;
  const timing = { ...defaultTiming, ...deps.timing };
  const { sealingKeys } = deps.options;
  let keys = () => sealingKeys.value;
  const { app, readyz, keyPair } = await createWeb({ ...deps, tls, sealingKeys: () => keys() });
  await open(app, listen);
  const { port } = app.server.address() as AddressInfo;
  const server = app.server as unknown as Server;
  const loop = { everyMs: timing.files, clock: deps.clock ?? systemClock, signal, log: deps.log };
  const followed = follow(sealingKeys, { ...loop, what: 'sealing keys', isSame: isSameKeys });
  keys = followed.current;
  const following = [followed.stopped, ...(tls && keyPair ? [followKeyPair(server, keyPair, tls, loop)] : [])];
  const stopped = whenAborted(signal).then(async () => {
    await close(app, timing.stop);
    await Promise.all(following);
  });
  return { port, readyz, stopped };
}

function isSameKeys(one: readonly Uint8Array[], other: readonly Uint8Array[]): boolean {
  return one.length === other.length && one.every((key, index) => Buffer.compare(key, other[index] ?? key) === 0);
}

async function open(app: FastifyInstance, { host, port }: ListenOptions): Promise<void> {
  try {
    await app.listen({ host, port });
  } catch (cause) {
    await app.close();
    if (cause instanceof Error && 'code' in cause && cause.code === 'EADDRINUSE') {
      throw new KlutchError(
        'KLUTCH_BACKEND_PORT_IN_USE',
        `Another process listens on ${host}:${port}. Stop it, or choose another address with --listen-address.`,
        { cause },
      );
    }
    throw cause;
  }
}

async function close(app: FastifyInstance, limitMs: number): Promise<void> {
  const limit = setTimeout(() => app.server.closeAllConnections(), limitMs);
  try {
    await app.close();
  } finally {
    clearTimeout(limit);
  }
}
