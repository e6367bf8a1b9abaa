import { once } from 'node:events';
import { createServer, get, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';

import { parseListOptions } from '../list/index.ts';
import { openStore, type Store } from '../storage/index.ts';
import { storedShape } from './shape.ts';
import { responseSink } from './sink.ts';
import { createWatchHub, type WatchHub } from './watch-hub.ts';

const BUCKET = '/things';
const type = { namespaced: true, builtIn: true, selectableFields: {} };

interface Served {
  readonly store: Store;
  readonly hub: WatchHub;
  readonly port: number;
  readonly responses: ServerResponse[];
}

/** A server that answers every request with a watch. */
async function serve(): Promise<Served> {
  const store = await openStore();
  const hub = createWatchHub(store);
  const responses: ServerResponse[] = [];
  const server: Server = createServer((request, response) => {
    responses.push(response);
    const query = new URL(request.url ?? '', 'http://localhost').searchParams;
    const watch = hub.open(
      {
        listed: { bucket: BUCKET, namespaced: true },
        options: parseListOptions(query, type),
        shape: storedShape('v1', 'Thing'),
      },
      responseSink(response, { 'content-type': 'application/json' }),
    );
    response.on('close', () => watch.end());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(async () => {
    hub.close();
    server.closeAllConnections();
    server.close();
    await store.close();
  });
  return { store, hub, port: (server.address() as AddressInfo).port, responses };
}

async function connect({ port }: Served, query = ''): Promise<IncomingMessage> {
  const request = get({ host: '127.0.0.1', port, path: `/?watch=1&${query}` });
  // A client that goes away on purpose need not hear that it did.
  request.on('error', () => undefined);
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  response.on('error', () => undefined);
  return response;
}

async function put(store: Store, name: string, filler = ''): Promise<void> {
  await store.commit({
    bucket: BUCKET,
    key: `n/${name}`,
    object: { apiVersion: 'v1', kind: 'Thing', metadata: { name }, filler },
  });
}

async function until(condition: () => boolean): Promise<void> {
  const deadline = performance.now() + 10_000;
  while (!condition()) {
    if (performance.now() > deadline) throw new Error('it did not happen');
    await delay(5);
  }
}

describe('a watch over HTTP', () => {
  it('is accepted before there is anything to tell', async () => {
    const served = await serve();

    const response = await connect(served, 'resourceVersion=1');

    expect(response.statusCode).toBe(200);
    expect(response.headers).toMatchObject({ 'content-type': 'application/json', 'transfer-encoding': 'chunked' });
  });

  it('brings an event to twenty clients', async () => {
    const served = await serve();
    const clients = await Promise.all(Array.from({ length: 20 }, () => connect(served, 'resourceVersion=1')));
    const read = clients.map(async (client) => String((await once(client, 'data'))[0]));

    await put(served.store, 'a');

    for (const line of await Promise.all(read)) expect(JSON.parse(line)).toMatchObject({ type: 'ADDED' });
  });

  it('keeps little for a client that does not read, and brings it everything when it does', async () => {
    const served = await serve();
    for (let index = 0; index < 400; index += 1) await put(served.store, `o${index}`, 'x'.repeat(50_000));
    const client = await connect(served);
    client.pause();
    await until(() => (served.responses[0]?.writableLength ?? 0) > 0);

    for (let index = 0; index < 100; index += 1) await put(served.store, `late${index}`, 'x'.repeat(50_000));
    expect(served.responses[0]?.writableLength).toBeLessThan(1_000_000);

    let lines = 0;
    client.on('data', (bytes: Buffer) => {
      for (const byte of bytes) if (byte === 10) lines += 1;
    });
    client.resume();
    await until(() => lines === 500);
  });

  it('ends when the client goes away', async () => {
    const served = await serve();
    const clients = await Promise.all(Array.from({ length: 30 }, () => connect(served, 'resourceVersion=1')));
    expect(served.hub.size).toBe(30);

    for (const client of clients) client.destroy();

    await until(() => served.hub.size === 0);
    await put(served.store, 'a');
  });

  it('ends for the client when its time is over', async () => {
    const served = await serve();
    const client = await connect(served, 'resourceVersion=1&timeoutSeconds=1');
    client.resume();

    await once(client, 'end');

    expect(served.hub.size).toBe(0);
  });
});
