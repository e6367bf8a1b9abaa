import { createServer as createTcpServer } from 'node:net';
import { describe, expect, it } from 'vitest';
import { connect } from '../resources/client.ts';
import { eventually, ModelThings } from '../testing/index.ts';
import { loopback } from '../transport/loopback.fixture.ts';
import { startInformer } from './informer.ts';

const { listen, serve } = loopback();

describe('an informer stops at once', () => {
  const stopped = async (url: string, until: (state: { problem: unknown }) => unknown) => {
    const client = connect({ server: url, source: 'test', auth: { kind: 'none' } }, { userAgent: 'test' });
    const stop = new AbortController();
    const informer = startInformer(
      { client: client.resource(ModelThings), backoff: { baseMs: 60_000, jitter: 0 } },
      stop.signal,
    );
    await eventually(() => Boolean(until(informer)));
    const began = performance.now();
    stop.abort();
    await informer.stopped;
    await client.close();
    await expect(informer.synced).rejects.toMatchObject({ code: 'KUBE_ABORTED' });
    return performance.now() - began;
  };

  it('while it waits for a list', async () => {
    let asked = false;
    const url = await serve(() => {
      asked = true;
    });
    expect(await stopped(url, () => asked)).toBeLessThan(1000);
  });

  it('while it waits to try again', async () => {
    expect(await stopped('http://127.0.0.1:1', ({ problem }) => problem)).toBeLessThan(1000);
  });

  it('while a connection is being set up', async () => {
    let connected = false;
    const silent = createTcpServer((socket) => {
      connected = true;
      socket.on('error', () => {}).resume();
    });
    const url = `https://127.0.0.1:${await listen(silent)}`;
    expect(await stopped(url, () => connected)).toBeLessThan(1000);
  });
});
