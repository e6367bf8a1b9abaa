import { createServer, type Server } from 'node:https';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Pki } from '../pki/index.ts';

/** A server that accepts connections. */
export interface Listening {
  readonly port: number;
  /** How many clients are connected now. */
  readonly connections: number;
  /** Accepts no more, ends what is open, and resolves when all is closed. */
  close(): Promise<void>;
}

export interface ListenOptions {
  /** 0: any that is free. */
  readonly port: number;
  /** From the start of a request, or of a handshake, to its end. Default 60. */
  readonly requestSeconds?: number;
  /** While a client takes nothing of what it is sent. Default 60. */
  readonly stallSeconds?: number;
}

/** Listens on loopback with TLS; asks clients for certificates but leaves it to authentication what they are worth. */
export async function listen(
  pki: Pki,
  { port, requestSeconds = 60, stallSeconds = 60 }: ListenOptions,
  handle: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<Listening> {
  const requestMs = requestSeconds * 1000;
  const server = createServer(
    {
      cert: pki.serving.certificate,
      key: pki.serving.key,
      ca: pki.certificateAuthority,
      requestCert: true,
      rejectUnauthorized: false,
      // Idle connections of clients that went away without a word.
      keepAliveTimeout: 120_000,
      handshakeTimeout: requestMs,
      headersTimeout: requestMs,
      requestTimeout: requestMs,
      connectionsCheckingInterval: Math.min(requestMs / 4, 5_000),
    },
    (request, response) => {
      // The connection is closed when nothing moves on it; watches, where that is normal, have a timer of their own.
      response.setTimeout(stallSeconds * 1000);
      handle(request, response);
    },
  );
  // Those that have not finished their handshake hold the server open too.
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.setNoDelay(true);
    socket.on('close', () => sockets.delete(socket));
  });
  // Handshakes that fail are the client's business; it hears of them through TLS.
  server.on('tlsClientError', () => {});
  await start(server, port);
  return {
    port: (server.address() as AddressInfo).port,
    get connections() {
      return sockets.size;
    },
    close: async () => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

/** The port cannot be listened on. */
export class ListenError extends Error {
  override readonly name = 'ListenError';
  readonly code: 'KLUTCH_APISERVER_PORT_IN_USE' | 'KLUTCH_APISERVER_PORT_REFUSED';

  constructor(port: number, cause: NodeJS.ErrnoException) {
    const inUse = cause.code === 'EADDRINUSE';
    super(
      inUse
        ? `Port ${port} is in use; choose another one, or 0 for any.`
        : `Port ${port} cannot be listened on (${cause.code ?? cause.message}); choose another one, or 0 for any.`,
      { cause },
    );
    this.code = inUse ? 'KLUTCH_APISERVER_PORT_IN_USE' : 'KLUTCH_APISERVER_PORT_REFUSED';
  }
}

function start(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error) => reject(new ListenError(port, error)));
    server.listen(port, '127.0.0.1', resolve);
  });
}
