import { connect } from 'node:net';
import { Registry } from 'prom-client';
import { afterEach, describe, expect, it } from 'vitest';
import type { Logger } from '../log/logger.ts';
import { type HealthServerOptions, startHealthServer } from './health-server.ts';
import { createMetrics } from './metrics.ts';

const stops: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});

async function start(options: Partial<HealthServerOptions> = {}) {
  const abort = new AbortController();
  const lines: string[] = [];
  const write = (_fields: object, message: string) => void lines.push(message);
  const log: Logger = { debug: write, info: write, warn: write, error: write };
  const server = await startHealthServer({ port: 0, host: '127.0.0.1', signal: abort.signal, log, ...options });
  stops.push(() => {
    abort.abort();
    return server.stopped;
  });
  const get = async (path: string, init?: RequestInit) => {
    const response = await fetch(`http://127.0.0.1:${server.port}${path}`, init);
    return { status: response.status, type: response.headers.get('content-type'), body: await response.text() };
  };
  return { server, abort, get, lines };
}

const failing = (name: string, message: string) => ({ name, check: () => Promise.reject(new Error(message)) });
const passing = (name: string) => ({ name, check: () => {} });

describe('endpoints', () => {
  it('answer ok when nothing is to be checked', async () => {
    const { get } = await start();

    expect(await get('/livez')).toMatchObject({ status: 200, body: 'ok' });
    expect(await get('/readyz')).toMatchObject({ status: 200, body: 'ok' });
    expect(await get('/healthz')).toMatchObject({ status: 200, body: '{}' });
  });

  it('check each what is theirs', async () => {
    const checks = { livez: [passing('loop')], readyz: [passing('caches'), failing('issuer', 'not reachable')] };
    const { get } = await start({ checks });

    expect(await get('/livez?verbose')).toMatchObject({ status: 200, body: '[+]loop ok\nlivez check passed\n' });
    expect(await get('/readyz')).toMatchObject({
      status: 500,
      body: '[+]caches ok\n[-]issuer failed: not reachable\nreadyz check failed\n',
    });
    expect(await get('/healthz')).toEqual({ status: 200, type: 'application/json', body: '{"loop":"ok"}' });
  });

  it('give /healthz checks of its own when told so', async () => {
    const checks = { livez: [passing('loop')], healthz: [failing('leaderElection', 'expired')] };
    const { get } = await start({ checks });

    expect(await get('/healthz')).toMatchObject({ status: 500, body: '{"leaderElection":"degraded"}' });
    expect(await get('/livez')).toMatchObject({ status: 200 });
  });

  it('answer in time although a check hangs', async () => {
    const checks = { readyz: [{ name: 'stuck', check: () => new Promise<void>(() => {}) }, passing('fine')] };
    const { get } = await start({ checks, checkLimitMs: 20 });

    expect(await get('/readyz')).toMatchObject({
      status: 500,
      body: '[-]stuck failed: no answer within 20 ms\n[+]fine ok\nreadyz check failed\n',
    });
  });

  it('log when a check begins to fail and when it is well again, not each time somebody asks', async () => {
    let isWell = false;
    const check = () => {
      if (!isWell) throw new Error('no');
    };
    const { get, lines } = await start({ checks: { livez: [{ name: 'a', check }] } });

    for (let i = 0; i < 3; i++) await get('/livez');
    isWell = true;
    for (let i = 0; i < 3; i++) await get('/healthz');
    expect(lines).toEqual(['health check fails', 'health check passes again']);
  });

  it('show metrics', async () => {
    const registry = new Registry();
    createMetrics(registry).eventRecorded('created');
    const { get } = await start({ registry });

    const { status, type, body } = await get('/metrics');
    expect(status).toBe(200);
    expect(type).toBe(registry.contentType);
    expect(body).toContain('klutch_kube_events_total{result="created"} 1');
  });

  it('say when metrics cannot be had', async () => {
    const broken = { contentType: 'text/plain', metrics: () => Promise.reject(new Error('a gauge threw')) };
    const { get, lines } = await start({ registry: broken });

    expect(await get('/metrics')).toMatchObject({ status: 500 });
    expect(lines).toEqual(['health endpoint failed']);
  });

  it.each(['/metrics', '/', '/livez/', '/other', '//', '/%'])(
    'do not include %s when there is no registry',
    async (path) => {
      const { get } = await start();

      expect(await get(path)).toMatchObject({ status: 404, body: 'not found; there is /livez, /readyz, /healthz\n' });
    },
  );

  it('answer HEAD without a body and refuse to be written to', async () => {
    const { get } = await start();

    expect(await get('/livez', { method: 'HEAD' })).toMatchObject({ status: 200, body: '' });
    expect(await get('/livez', { method: 'POST', body: 'x' })).toMatchObject({ status: 405 });
  });
});

describe('listening', () => {
  it('says clearly that a port is in use', async () => {
    const { server } = await start();

    await expect(start({ port: server.port })).rejects.toMatchObject({
      code: 'EADDRINUSE',
      message: `cannot listen on 127.0.0.1:${server.port}: another process uses it; stop that or choose another port`,
      cause: { code: 'EADDRINUSE' },
    });
  });

  it('says clearly that an address is not of this machine', async () => {
    await expect(start({ host: '192.0.2.1' })).rejects.toMatchObject({
      code: 'EADDRNOTAVAIL',
      message: expect.stringContaining('cannot listen on 192.0.2.1:0'),
    });
  });
});

describe('stopping', () => {
  it('closes the port', async () => {
    const { server, abort, get } = await start();
    await get('/livez');

    abort.abort();
    await server.stopped;
    await expect(get('/livez')).rejects.toThrow('fetch failed');
  });

  it('still answers a probe under way', async () => {
    let finish = () => {};
    const started = new Promise<void>((resolve) => {
      finish = resolve;
    });
    let release = () => {};
    const check = () => {
      finish();
      return new Promise<void>((resolve) => {
        release = resolve;
      });
    };
    const { server, abort, get } = await start({ checks: { livez: [{ name: 'slow', check }] } });
    const answer = get('/livez');
    await started;

    abort.abort();
    release();
    expect(await answer).toMatchObject({ status: 200 });
    await server.stopped;
  });

  it('does not wait long for somebody who has connected and asks nothing', async () => {
    const { server, abort } = await start();
    const socket = connect(server.port, '127.0.0.1');
    const closed = new Promise((resolve) => {
      socket.on('close', resolve).on('error', () => {});
    });
    await new Promise((resolve) => {
      socket.write('GET /livez HTTP/1.1\r\n', resolve);
    });

    abort.abort();
    await server.stopped;
    await closed;
  });

  it('ends at once when the signal is aborted from the beginning', async () => {
    const { server } = await start({ signal: AbortSignal.abort() });

    await server.stopped;
  });
});
