import { createServer, type Server } from 'node:https';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Pki } from '../pki/index.ts';

/** A server that accepts connections. */
export interface Listening {
  readonly port: number;
  /** Accepts no more, ends what is open, and resolves when all is closed. */
  close(): Promise<void>;
}

/** Listens on loopback with TLS; asks clients for certificates but leaves it to authentication what they are worth. */
export async function listen(
  pki: Pki,
  port: number,
  handle: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<Listening> {
  const server = createServer(
    {
      cert: pki.serving.certificate,
      key: pki.serving.key,
      ca: pki.certificateAuthority,
      requestCert: true,
      rejectUnauthorized: false,
      // Idle connections of clients that went away without a word.
      keepAliveTimeout: 120_000,
      headersTimeout: 60_000,
      requestTimeout: 0,
    },
    handle,
  );
  const sockets = new Set<Socket>();
  server.on('secureConnection', (socket) => {
    sockets.add(socket);
    socket.setNoDelay(true);
    socket.on('close', () => sockets.delete(socket));
  });
  // Handshakes that fail are the client's business; it hears of them through TLS.
  server.on('tlsClientError', () => {});
  await start(server, port);
  return {
    port: (server.address() as AddressInfo).port,
    close: async () => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

function start(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const inUse = error.code === 'EADDRINUSE';
      reject(inUse ? new Error(`Port ${port} is in use; choose another one, or 0 for any.`, { cause: error }) : error);
    });
    server.listen(port, '127.0.0.1', resolve);
  });
}
