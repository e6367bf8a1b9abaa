import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { type Authority, createAuthority } from '../pki/authority.ts';
import { planeRequest } from './request.ts';

interface Echo {
  readonly method: string;
  readonly path: string;
  readonly contentType?: string;
  readonly authorization?: string;
  readonly user?: string;
  readonly body: string;
}

describe('request to a plane', () => {
  let authority: Authority;
  let server: Server;
  let address: { url: string; certificateAuthority: string };

  beforeAll(async () => {
    authority = await createAuthority('request test');
    const serving = await authority.issue({ commonName: 'server', usage: 'server', ipAddresses: ['127.0.0.1'] });
    const options = { cert: serving.certificate, key: serving.key, ca: authority.certificate, requestCert: true };
    server = createServer({ ...options, rejectUnauthorized: false }, (request, response) => {
      if (request.url === '/silence') return;
      if (request.url === '/text') {
        response.writeHead(418, { 'content-type': 'text/plain' }).end('{"not": "json"}');
        return;
      }
      void echo(request, response);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    address = { url: `https://127.0.0.1:${port}`, certificateAuthority: authority.certificate };
  });
  afterAll(async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  });

  it('carries the client certificate and a JSON body', async () => {
    const request = planeRequest(address, await authority.issue({ commonName: 'jane' }));
    const { status, body } = await request<Echo>('POST', '/api?x=1', { body: { a: 1 } });
    expect(status).toBe(200);
    expect(body).toEqual({
      method: 'POST',
      path: '/api?x=1',
      contentType: 'application/json',
      user: 'jane',
      body: '{"a":1}',
    });
  });

  it('carries the token, and no content type without a body', async () => {
    const { body } = await planeRequest(address, { token: 'abc' })<Echo>('GET', '/');
    expect(body.authorization).toBe('Bearer abc');
    expect(body.contentType).toBeUndefined();
    expect(body.user).toBeUndefined();
  });

  it('sends a patch under its own content type', async () => {
    const contentType = 'application/merge-patch+json';
    const { body } = await planeRequest(address, { token: 'abc' })<Echo>('PATCH', '/', { body: {}, contentType });
    expect(body.contentType).toBe(contentType);
  });

  it('returns every status, and text as text', async () => {
    const answer = await planeRequest(address, { token: 'abc' })('GET', '/text');
    expect(answer).toEqual({ status: 418, body: '{"not": "json"}' });
  });

  it('gives up on a server that does not answer', async () => {
    const silent = planeRequest(address, { token: 'abc' })('GET', '/silence', { timeoutMs: 20 });
    await expect(silent).rejects.toMatchObject({ name: 'AbortError', cause: { name: 'TimeoutError' } });
  });

  it('does not talk to a server of another authority', async () => {
    const other = await createAuthority('other');
    const request = planeRequest({ ...address, certificateAuthority: other.certificate }, { token: 'abc' });
    await expect(request('GET', '/')).rejects.toMatchObject({ code: expect.stringMatching(/^UNABLE_TO_|SELF_SIGNED/) });
  });
});

function commonName(socket: TLSSocket): string | undefined {
  const name = socket.getPeerCertificate().subject?.CN;
  return name === undefined ? undefined : String(name);
}

async function echo(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const answer: Echo = {
    method: String(request.method),
    path: String(request.url),
    contentType: request.headers['content-type'],
    authorization: request.headers.authorization,
    user: commonName(request.socket as TLSSocket),
    body: Buffer.concat(await request.toArray()).toString(),
  };
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
}
