import { getEventListeners } from 'node:events';
import { createServer } from 'node:http';
import { createServer as createTcpServer } from 'node:net';
import { Registry } from 'prom-client';
import { describe, expect, it } from 'vitest';
import type { CredentialSource, Credentials } from '../auth/credentials.ts';
import { first, second } from '../auth/test-certificates.ts';
import { eventually } from '../testing/eventually.ts';
import { get, loopback, ok } from './loopback.fixture.ts';
import type { KubeRequest } from './types.ts';

const { listen, serve, open } = loopback();

const stream: KubeRequest = { ...get, path: '/watch', mode: 'stream' };

/** Credentials that are answered one by one, the last of them again and again. */
function sequence(...answers: readonly Credentials[]): CredentialSource {
  let asked = 0;
  return { current: async () => answers[Math.min(asked++, answers.length - 1)] ?? {}, invalidate: () => {} };
}

async function millisecondsOf(work: Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work.catch(() => {});
  return performance.now() - began;
}

describe('a connection', () => {
  it('is used again after a DELETE with a body', async () => {
    let connections = 0;
    const methods: (string | undefined)[] = [];
    const server = createServer((request, response) => {
      methods.push(request.method);
      request.resume().on('end', () => ok(request, response));
    });
    server.on('connection', () => {
      connections += 1;
    });
    const transport = open(`http://127.0.0.1:${await listen(server)}`, {}, { maxConnections: 1 });
    const remove: KubeRequest = { ...get, method: 'DELETE', body: '{"kind":"DeleteOptions"}' };
    for (const request of [get, remove, remove, get]) await transport.json(request);
    expect({ methods, connections }).toEqual({ methods: ['GET', 'DELETE', 'DELETE', 'GET'], connections: 1 });
  });
});

describe('a request is given up when its caller says so or its time is over', () => {
  it('even while it waits for a free connection', async () => {
    const transport = open(await serve(() => {}), {}, { maxConnections: 1, timeoutMs: 5000 });
    const busy = transport.json(get).catch(() => {});
    const late = transport.json({ ...get, timeoutMs: 30 });
    const abort = new AbortController();
    const cancelled = transport.json({ ...get, signal: abort.signal });
    setImmediate(() => abort.abort());
    const took = millisecondsOf(Promise.allSettled([late, cancelled]));
    await expect(late).rejects.toMatchObject({ code: 'KUBE_TIMEOUT' });
    await expect(cancelled).rejects.toMatchObject({ code: 'KUBE_ABORTED' });
    expect(await took).toBeLessThan(8000);
    await transport.close();
    await busy;
  });

  it('even while the connection is being set up', async () => {
    const silent = createTcpServer((socket) => socket.on('error', () => {}).resume());
    const transport = open(`https://127.0.0.1:${await listen(silent)}`);
    const late = transport.json({ ...get, timeoutMs: 30 });
    const abort = new AbortController();
    const cancelled = transport.json({ ...get, signal: abort.signal });
    setImmediate(() => abort.abort());
    const took = millisecondsOf(Promise.allSettled([late, cancelled]));
    await expect(late).rejects.toMatchObject({ code: 'KUBE_TIMEOUT' });
    await expect(cancelled).rejects.toMatchObject({ code: 'KUBE_ABORTED' });
    expect(await took).toBeLessThan(8000);
  });

  it('even while its answer is read', async () => {
    const transport = open(
      await serve((_, response) => void response.setHeader('content-type', 'application/json').write('{')),
    );
    const abort = new AbortController();
    const request = transport.json({ ...get, signal: abort.signal });
    setTimeout(() => abort.abort('changed my mind'), 20);
    await expect(request).rejects.toMatchObject({ code: 'KUBE_ABORTED' });
  });

  it('and costs no connection when it was waiting for one', async () => {
    let connections = 0;
    const server = createServer((request, response) => setTimeout(() => ok(request, response), 50));
    server.on('connection', () => {
      connections += 1;
    });
    const transport = open(`http://127.0.0.1:${await listen(server)}`, {}, { maxConnections: 1 });
    const first = transport.json(get);
    const waiting = Array.from({ length: 20 }, () => transport.json({ ...get, timeoutMs: 10 }).catch(() => {}));
    await Promise.all([first, ...waiting]);
    await transport.json(get);
    expect(connections).toBe(1);
  });

  it('and never reaches the server when that happens before it is sent', async () => {
    const seen: (string | undefined)[] = [];
    const server = await serve((request, response) => {
      seen.push(request.url);
      if (request.url === '/slow') setTimeout(() => ok(request, response), 60);
      else ok(request, response);
    });
    const transport = open(server, {}, { maxConnections: 1 });
    const slow = transport.json({ ...get, path: '/slow' });
    await expect(transport.json({ ...get, method: 'POST', path: '/late', timeoutMs: 10 })).rejects.toMatchObject({
      code: 'KUBE_TIMEOUT',
    });
    await slow;
    await transport.json({ ...get, path: '/last' });
    expect(seen).toEqual(['/slow', '/last']);
  });
});

describe('certificates that rotate', () => {
  it('lose no request that is just being sent', async () => {
    const server = await serve(ok);
    const [old, renewed] = [{ certificate: 'old' }, { certificate: 'new' }];
    // Each request asks twice, once for headers and once for the connection; only the second request sees the renewal.
    const transport = open(server, {}, { credentials: sequence(old, old, old, renewed) });
    const requests = [transport.json({ ...get, method: 'POST' }), transport.json({ ...get, method: 'POST' })];
    expect(await Promise.all(requests)).toEqual([{ ok: true }, { ok: true }]);
  });

  it('leave open streams alone, but closing ends them', async () => {
    let certificate = 'old';
    const sockets = new Set<unknown>();
    const server = await serve((request, response) => {
      sockets.add(request.socket);
      if (request.url === '/watch') response.write('first\n');
      else ok(request, response);
    });
    const credentials = { current: async () => ({ certificate }), invalidate: () => {} };
    const transport = open(server, {}, { credentials });
    const { body } = await transport.send(stream);
    const pieces = body[Symbol.asyncIterator]();
    expect(String((await pieces.next()).value)).toBe('first\n');
    certificate = 'new';
    expect(await transport.json(get)).toEqual({ ok: true });
    expect([sockets.size, body.destroyed]).toEqual([2, false]);
    const ended = pieces.next();
    await Promise.all([transport.close(), expect(ended).rejects.toThrow()]);
  });
});

describe('closing', () => {
  it('lets go of connections that are still being set up, with renewed and with former certificates', async () => {
    const silent = createTcpServer((socket) => socket.on('error', () => {}).resume());
    let credentials: Credentials = first;
    const transport = open(
      `https://127.0.0.1:${await listen(silent)}`,
      {},
      { credentials: { current: async () => credentials, invalidate: () => {} } },
    );
    const connected = () => new Promise<void>((resolve) => silent.once('connection', () => resolve()));
    const requests = [transport.json(get)];
    await connected();
    credentials = second;
    requests.push(transport.json(get));
    const outcomes = Promise.allSettled(requests);
    await connected();
    await transport.close();
    expect(await outcomes).toMatchObject([{ reason: { code: 'KUBE_ABORTED' } }, { reason: { code: 'KUBE_ABORTED' } }]);
    await new Promise<void>((resolve) => silent.close(() => resolve()));
  });

  it('does not wait for a request that was told to come back later', async () => {
    const server = await serve((_, response) => response.writeHead(429, { 'retry-after': '20' }).end('busy'));
    const registry = new Registry();
    const transport = open(server, {}, { registry });
    const took = millisecondsOf(transport.json(get));
    await eventually(async () => (await registry.metrics()).includes('status="429"} 1'));
    await transport.close();
    expect(await took).toBeLessThan(8000);
  });

  it('opens no connection for a request that was still waiting for credentials', async () => {
    let connections = 0;
    const server = createTcpServer((socket) => {
      connections += 1;
      socket.destroy();
    });
    let give: (credentials: Credentials) => void = () => {};
    const given = new Promise<Credentials>((resolve) => {
      give = resolve;
    });
    const credentials: CredentialSource = { current: () => given, invalidate: () => {} };
    const transport = open(`http://127.0.0.1:${await listen(server)}`, {}, { credentials });
    const request = transport.json(get);
    await transport.close();
    give({});
    await expect(request).rejects.toMatchObject({ code: 'KUBE_ABORTED' });
    await expect(transport.json(get)).rejects.toMatchObject({ code: 'KUBE_ABORTED' });
    expect(connections).toBe(0);
  });
});

it('leaves nothing behind on a signal that many requests share', async () => {
  const transport = open(
    await serve((request, response) => {
      if (request.url === '/fail') response.writeHead(500).end('no');
      else ok(request, response);
    }),
  );
  const { signal } = new AbortController();
  for (let i = 0; i < 50; i++) {
    await transport.json({ ...get, signal });
    await transport.json({ ...get, path: '/fail', signal }).catch(() => {});
    await transport.json({ ...get, timeoutMs: 0, signal }).catch(() => {});
  }
  await eventually(() => getEventListeners(signal, 'abort').length === 0);
});
