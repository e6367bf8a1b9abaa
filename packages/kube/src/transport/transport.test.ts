import { createServer, type IncomingMessage } from 'node:http';
import { connect as connectTcp } from 'node:net';
import { inspect } from 'node:util';
import { Registry } from 'prom-client';
import { describe, expect, it } from 'vitest';
import type { CredentialSource } from '../auth/credentials.ts';
import { createFaults } from '../testing/faults.ts';
import { get, loopback, ok } from './loopback.fixture.ts';
import { userAgentOf } from './transport.ts';

const { listen, serve, open } = loopback();

describe('transport', () => {
  it('says who it is and keeps the path of the server', async () => {
    let seen: IncomingMessage | undefined;
    const server = await serve((request, response) => {
      seen = request;
      ok(request, response);
    });
    const transport = open(`${server}/clusters/one`, {}, { userAgent: userAgentOf('klutch-konnector', '1.2.3') });
    expect(await transport.json(get)).toEqual({ ok: true });
    expect(seen?.url).toBe('/clusters/one/version');
    expect(seen?.headers['user-agent']).toBe(`klutch-konnector/1.2.3 (${process.platform}/${process.arch})`);
  });

  it('sends impersonation with every group and extra', async () => {
    let headers: Record<string, string[] | undefined> = {};
    const server = await serve((request, response) => {
      headers = request.headersDistinct;
      ok(request, response);
    });
    const impersonate = { user: 'jane', uid: '7', groups: ['a', 'b'], extra: { 'example.org/scope': ['x', 'y'] } };
    await open(server, { impersonate }).json(get);
    expect(headers).toMatchObject({
      'impersonate-user': ['jane'],
      'impersonate-uid': ['7'],
      'impersonate-group': ['a', 'b'],
      'impersonate-extra-example.org%2fscope': ['x', 'y'],
    });
  });

  it('gets new credentials once when the server refuses the old ones', async () => {
    const seen: (string | undefined)[] = [];
    const server = await serve((request, response) => {
      seen.push(request.headers.authorization);
      if (request.headers.authorization === 'Bearer new') ok(request, response);
      else response.writeHead(401).end('Unauthorized');
    });
    let token = 'old';
    const credentials: CredentialSource = {
      current: async () => ({ authorization: `Bearer ${token}` }),
      invalidate: () => {
        token = 'new';
      },
    };
    expect(await open(server, {}, { credentials }).json(get)).toEqual({ ok: true });
    expect(seen).toEqual(['Bearer old', 'Bearer new']);
  });

  it('does not repeat a refused request with the same credentials', async () => {
    let requests = 0;
    const server = await serve((_, response) => {
      requests += 1;
      response.writeHead(401).end('Unauthorized');
    });
    await expect(open(server, { auth: { kind: 'token', token: 't' } }).json(get)).rejects.toMatchObject({
      code: 'KUBE_UNAUTHORIZED',
    });
    expect(requests).toBe(1);
  });

  it('waits as long as a busy server asks', async () => {
    let requests = 0;
    const server = await serve((request, response) => {
      requests += 1;
      if (requests === 1) response.writeHead(429, { 'retry-after': '0' }).end('slow down');
      else ok(request, response);
    });
    expect(await open(server).json({ ...get, method: 'POST' })).toEqual({ ok: true });
  });

  it('reads again when a kept connection turns out to be dead, but never writes twice', async () => {
    let requests = 0;
    const server = await serve((request, response) => {
      requests += 1;
      if (requests === 1) request.socket.destroy();
      else ok(request, response);
    });
    expect(await open(server).json(get)).toEqual({ ok: true });
    requests = 0;
    await expect(open(server).json({ ...get, method: 'POST' })).rejects.toMatchObject({ code: 'KUBE_UNREACHABLE' });
    expect(requests).toBe(1);
  });

  it('uses no more connections than allowed', async () => {
    const sockets = new Set<unknown>();
    const server = await serve((request, response) => {
      sockets.add(request.socket);
      setImmediate(() => ok(request, response));
    });
    const transport = open(server, {}, { maxConnections: 3 });
    await Promise.all(Array.from({ length: 30 }, () => transport.json(get)));
    expect(sockets.size).toBe(3);
  });

  it('does not let streams take the connections of calls', async () => {
    const server = await serve((request, response) => {
      if (request.url?.includes('watch')) response.flushHeaders();
      else ok(request, response);
    });
    const transport = open(server, {}, { maxConnections: 1 });
    const streams = await Promise.all([1, 2, 3].map(() => transport.send({ ...get, path: '/watch', mode: 'stream' })));
    expect(await transport.json(get)).toEqual({ ok: true });
    for (const { body } of streams) body.on('error', () => {}).destroy();
  });

  it('goes through the proxy the configuration names', async () => {
    const target = await serve(ok);
    const asked: (string | undefined)[] = [];
    const proxy = createServer();
    proxy.on('connect', (request, client) => {
      asked.push(request.url);
      const upstream = connectTcp(Number(new URL(target).port), '127.0.0.1', () => {
        client.write('HTTP/1.1 200 Connection established\r\n\r\n');
        upstream.pipe(client).pipe(upstream);
      });
      upstream.on('error', () => client.destroy());
      client.on('error', () => upstream.destroy());
    });
    const proxyUrl = `http://127.0.0.1:${await listen(proxy)}`;
    const transport = open(target, { proxyUrl });
    expect(await transport.json(get)).toEqual({ ok: true });
    expect(asked).toEqual([new URL(target).host]);
    await transport.close();
  });

  it('counts requests by verb, resource and outcome, on one registry for several transports', async () => {
    const registry = new Registry();
    const server = await serve(ok);
    await open(server, {}, { registry }).json(get);
    const faults = createFaults();
    faults.add({ fault: { type: 'status', status: 409 } });
    await open(server, {}, { registry, interceptors: [faults.interceptor] })
      .json(get)
      .catch(() => {});
    const text = await registry.metrics();
    expect(text).toContain('klutch_kube_requests_total{verb="get",resource="version",status="200"} 1');
    expect(text).toContain('klutch_kube_requests_total{verb="get",resource="version",status="409"} 1');
    expect(text).toContain('klutch_kube_request_duration_seconds_count{verb="get"} 2');
  });

  it('aborts what is in flight when it is closed', async () => {
    const server = await serve(() => {});
    const transport = open(server);
    const request = transport.json(get);
    setImmediate(() => void transport.close());
    await expect(request).rejects.toMatchObject({ code: 'KUBE_ABORTED' });
  });

  it('gives a call up after its time limit although the server keeps asking for patience', async () => {
    const server = await serve((_, response) => response.writeHead(429, { 'retry-after': '1' }).end('slow down'));
    const began = performance.now();
    await expect(open(server, {}, { timeoutMs: 300 }).json(get)).rejects.toMatchObject({
      code: 'KUBE_TOO_MANY_REQUESTS',
    });
    expect(performance.now() - began).toBeLessThan(8000);
  });

  it('says that an answer broke off in the middle', async () => {
    const server = await serve((request, response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' });
      response.write('{"half":');
      setTimeout(() => request.socket.destroy(), 10);
    });
    await expect(open(server).json(get)).rejects.toMatchObject({ code: 'KUBE_UNREACHABLE', object: 'version' });
  });

  it('repeats nothing of an answer it could not read', async () => {
    const server = await serve((_, response) =>
      response.setHeader('content-type', 'application/json').end('{"data":{"password":hunter2}}'),
    );
    const error: unknown = await open(server)
      .json(get)
      .catch((caught: unknown) => caught);
    expect(error).toMatchObject({ code: 'KUBE_UNREACHABLE' });
    expect(inspect(error, { depth: 10 })).not.toContain('hunter2');
  });

  it('turns whatever an interceptor throws into an error of this package', async () => {
    const broken = () => () => Promise.reject(new TypeError('bug in an interceptor'));
    await expect(open('http://127.0.0.1:1', {}, { interceptors: [broken] }).json(get)).rejects.toMatchObject({
      name: 'KubeError',
      cause: expect.objectContaining({ message: 'bug in an interceptor' }),
    });
  });
});
