import { once } from 'node:events';
import { connect as connectTcp, type Socket } from 'node:net';
import { connect as connectTls, type TLSSocket } from 'node:tls';
import { type ApiServer, type ApiServerOptions, startApiServer } from '@klutch/apiserver';
import { onTestFinished } from 'vitest';
import { type Client, createClient, type Credentials } from '../conformance/client.ts';

/** An embedded server that clients are going to mistreat. */
export interface FaultServer {
  readonly server: ApiServer;
  readonly admin: Client;
  /** What the server took for its own mistakes. */
  readonly problems: readonly unknown[];
  /** A connection of the administrator, to write anything to. */
  dial(): Promise<TLSSocket>;
  /** Tears a connection with a reset, without a word of TLS, as when the client is killed. */
  tear(socket: TLSSocket): void;
}

/** Starts a server that ends with the test. */
export async function faultServer(options: ApiServerOptions = {}): Promise<FaultServer> {
  const problems: unknown[] = [];
  const server = await startApiServer({ onProblem: (problem) => problems.push(problem), ...options });
  const credentials = credentialsIn(server.kubeconfig());
  const admin = createClient(server, credentials, () => undefined);
  const sockets = new Map<TLSSocket, Socket>();
  onTestFinished(async () => {
    admin.close();
    for (const socket of sockets.keys()) socket.destroy();
    await server.stop();
  });
  return {
    server,
    admin,
    problems,
    dial: async () => {
      const { certificate: cert, key } = credentials;
      const { hostname: host, port } = new URL(server.url);
      const tcp = connectTcp({ host, port: Number(port) });
      tcp.on('error', () => undefined);
      const socket = connectTls({ socket: tcp, host, ca: server.caCertificate, cert, key });
      // Connections end in all sorts of ways here; tests look at what has arrived.
      socket.on('error', () => undefined);
      sockets.set(socket, tcp);
      socket.on('close', () => sockets.delete(socket));
      await once(socket, 'secureConnect');
      return socket;
    },
    tear: (socket) => void sockets.get(socket)?.resetAndDestroy(),
  };
}

/** The client certificate of a kubeconfig. */
export function credentialsIn(kubeconfig: string): Credentials {
  const { users } = JSON.parse(kubeconfig) as { users: { user: Record<string, string> }[] };
  const text = (field: string) => Buffer.from(users[0]?.user[field] ?? '', 'base64').toString();
  return { certificate: text('client-certificate-data'), key: text('client-key-data') };
}
