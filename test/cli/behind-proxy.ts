import { once } from 'node:events';
import { createServer as createHttp, type IncomingMessage, type RequestListener } from 'node:http';
import { createServer as createHttps } from 'node:https';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { type Authority, createAuthority } from '@klutch/kit';
import { onTestFinished } from 'vitest';

/** A host that no name server knows. */
export const host = 'provider.example.test';

/** Serves https for that host. */
async function startTls(authority: Authority, answer: RequestListener): Promise<number> {
  const { certificate, key } = await authority.issue({ commonName: host, usage: 'server', dnsNames: [host] });
  const server = createHttps({ cert: certificate, key }, answer).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

/** A proxy that leads to a port of this machine, whatever host is asked for, and lets everybody in who has the password, if there is one. */
export async function startProxy(target: () => number, password?: string): Promise<{ url: string; asked: string[] }> {
  const asked: string[] = [];
  const sockets = new Set<Socket>();
  const server = createHttp();
  server.on('connect', (request: IncomingMessage, client: Socket) => {
    asked.push(`${request.method} ${request.url}`);
    sockets.add(client);
    const given = Buffer.from(
      (request.headers['proxy-authorization'] ?? '').replace('Basic ', ''),
      'base64',
    ).toString();
    if (password !== undefined && given !== `user:${password}`) {
      client.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n');
      return;
    }
    const upstream = connect(target(), '127.0.0.1', () => {
      client.write('HTTP/1.1 200 Connection established\r\n\r\n');
      client.pipe(upstream).pipe(client);
    });
    sockets.add(upstream);
    for (const socket of [client, upstream]) socket.on('error', () => {});
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked };
}

/** A provider that is reached through a proxy only. */
export async function behindProxy(password?: string, answer: object = { access_token: 't' }) {
  const authority = await createAuthority('provider authority');
  const seen: { method?: string; url?: string; authorization?: string }[] = [];
  const port = await startTls(authority, (request, response) => {
    seen.push({ method: request.method, url: request.url, authorization: request.headers.authorization });
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
  });
  const proxy = await startProxy(() => port, password);
  return { proxy, seen, ca: authority.certificate };
}
