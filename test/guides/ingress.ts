import { once } from 'node:events';
import { request } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { IssuedCertificate } from '@klutch/kit';

/** The part of an ingress controller: ends TLS and passes requests on to whoever is behind it. */
export interface Ingress {
  readonly url: string;
  /** Addresses of the backend's replicas, as `http://host:port`; requests take turns. */
  setTargets(targets: readonly string[]): void;
  close(): Promise<void>;
}

export async function openIngress({ certificate, key }: IssuedCertificate): Promise<Ingress> {
  let targets: readonly string[] = [];
  let turn = 0;
  const server = createServer({ cert: certificate, key }, (incoming, answer) => {
    const target = targets[turn++ % Math.max(targets.length, 1)];
    if (target === undefined) return void answer.writeHead(503).end('no endpoints\n');
    const passed = request(new URL(incoming.url ?? '/', target), {
      method: incoming.method,
      headers: {
        ...incoming.headers,
        'x-forwarded-for': incoming.socket.remoteAddress,
        'x-forwarded-proto': 'https',
      },
    });
    passed.once('response', (got) => {
      answer.writeHead(got.statusCode ?? 502, got.headers);
      got.pipe(answer);
    });
    passed.once('error', () => answer.headersSent || answer.writeHead(502).end('the backend does not answer\n'));
    incoming.pipe(passed);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `https://localhost:${port}`,
    setTargets: (all) => {
      targets = all;
    },
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}
