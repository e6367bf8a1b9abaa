import { Socket } from 'node:net';
import { createSecureContext, type SecureContextOptions } from 'node:tls';
import { buildConnector } from 'undici';

type ConnectOptions = Parameters<typeof buildConnector>[0] & SecureContextOptions;

/** Opens connections, and can let go of those that are still being set up. */
export interface Connector {
  readonly connect: buildConnector.connector;
  /** Ends every attempt under way; what is connected already is not touched. */
  abandon(): void;
}

/**
 * A connector of undici that knows its attempts: a destroyed pool would let them go on until they time out. Certificates
 * are read once, by the first connection, rather than by each.
 */
export function createConnector(options: ConnectOptions): Connector {
  let open: buildConnector.connector | undefined;
  const attempts = new Set<Socket>();
  return {
    connect: (target, callback) => {
      // Not earlier: certificates that cannot be read are a problem of the request that needs them.
      open ??= buildConnector(target.protocol === 'https:' ? withContext(options) : options);
      // Returned, although undici's types do not say so.
      const socket: unknown = open(target, (...outcome) => {
        if (socket instanceof Socket) attempts.delete(socket);
        callback(...outcome);
      });
      if (socket instanceof Socket) attempts.add(socket);
    },
    abandon: () => {
      for (const socket of attempts) socket.destroy(new Error('the transport was closed'));
    },
  };
}

function withContext(options: ConnectOptions): ConnectOptions {
  return { ...options, secureContext: createSecureContext(options) };
}
