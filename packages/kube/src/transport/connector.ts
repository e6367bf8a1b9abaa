import { Socket } from 'node:net';
import { buildConnector } from 'undici';

type ConnectOptions = Parameters<typeof buildConnector>[0];

/** Opens connections, and can let go of those that are still being set up. */
export interface Connector {
  readonly connect: buildConnector.connector;
  /** Ends every attempt under way; what is connected already is not touched. */
  abandon(): void;
}

/** A connector of undici that knows its attempts: a destroyed pool would let them go on until they time out. */
export function createConnector(options: ConnectOptions): Connector {
  const open = buildConnector(options);
  const attempts = new Set<Socket>();
  return {
    connect: (target, callback) => {
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
