import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Server } from 'node:net';
import { afterEach } from 'vitest';
import type { ClusterConfig } from '../kubeconfig/cluster-config.ts';
import { createTransport, type TransportOptions } from './transport.ts';
import type { KubeRequest, Transport } from './types.ts';

export type Handler = (request: IncomingMessage, response: ServerResponse) => void;

/** A request that any server of these tests understands. */
export const get: KubeRequest = {
  method: 'GET',
  path: '/version',
  mode: 'call',
  about: { verb: 'get', resource: 'version', object: 'version' },
};

export const ok: Handler = (_, response) => response.setHeader('content-type', 'application/json').end('{"ok":true}');

/** Servers on loopback and transports to them, all closed after each test. */
export function loopback() {
  const closers: (() => Promise<unknown>)[] = [];

  afterEach(async () => {
    for (const close of closers.splice(0).reverse()) await close();
  });

  async function listen(server: Server): Promise<number> {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    closers.push(() => new Promise((resolve) => server.close(resolve)));
    return (server.address() as AddressInfo).port;
  }

  async function serve(handler: Handler): Promise<string> {
    return `http://127.0.0.1:${await listen(createServer(handler))}`;
  }

  function open(
    server: string,
    config: Partial<ClusterConfig> = {},
    options: Partial<TransportOptions> = {},
  ): Transport {
    const transport = createTransport(
      { server, source: 'test', auth: { kind: 'none' }, ...config },
      { userAgent: 'test', ...options },
    );
    closers.push(() => transport.close());
    return transport;
  }

  return { listen, serve, open };
}
