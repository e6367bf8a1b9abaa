import { once } from 'node:events';
import type { TLSSocket } from 'node:tls';
import { eventually } from '@klutch/kit';
import { describe, expect, it } from 'vitest';
import { type FaultServer, faultServer } from './fault-server.ts';
import { settledHeapBytes } from './settled-heap.ts';

const maps = '/api/v1/namespaces/default/configmaps';
const configMap = (name: string, size = 0) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name },
  data: { text: 'x'.repeat(size) },
});

const megabyte = 1024 * 1024;

/** Opens watches, each on a connection of its own. */
async function openWatches(faults: FaultServer, count: number): Promise<readonly TLSSocket[]> {
  const { body } = await faults.admin.get(maps);
  const path = `${maps}?watch=1&resourceVersion=${body.metadata.resourceVersion}`;
  const open = faults.server.usage().watches;
  const sockets: TLSSocket[] = [];
  // Handshakes a few at a time: all at once would outlast the patience of some.
  while (sockets.length < count) {
    const next = Math.min(50, count - sockets.length);
    sockets.push(...(await Promise.all(Array.from({ length: next }, () => faults.dial()))));
  }
  for (const socket of sockets) socket.write(`GET ${path} HTTP/1.1\r\nhost: x\r\n\r\n`);
  await eventually(() => faults.server.usage().watches === open + count, { what: `${count} more watches` });
  return sockets;
}

/** How many events have arrived so far. */
function countEvents(socket: TLSSocket): () => number {
  let seen = 0;
  socket.setEncoding('utf8').on('data', (chunk: string) => {
    seen += chunk.split('"type":"ADDED"').length - 1;
  });
  return () => seen;
}

async function allGone({ server, admin }: FaultServer): Promise<void> {
  admin.close();
  await eventually(() => server.usage().connections === 0, { what: 'no connections' });
  expect(server.usage().watches).toBe(0);
}

describe('a thousand watches of the embedded API server', () => {
  it('all hear of every write, and leave nothing behind when their clients vanish', { timeout: 120_000 }, async () => {
    const faults = await faultServer();
    const round = async (name: string, watches: number) => {
      const sockets = await openWatches(faults, watches);
      const counts = sockets.map(countEvents);
      for (let index = 0; index < 10; index++) await faults.admin.create(maps, configMap(`${name}-${index}`, 1_000));
      await eventually(() => counts.every((count) => count() >= 10), { what: 'all events', withinMs: 60_000 });
      expect(counts.every((count) => count() === 10)).toBe(true);
      for (const socket of sockets) faults.tear(socket);
      await allGone(faults);
    };
    // The first round also fills caches and compiles code.
    await round('first', 100);
    const before = await settledHeapBytes();

    await round('second', 1_000);

    // A thousand connections or watches that stayed would keep tens of megabytes.
    expect((await settledHeapBytes()) - before).toBeLessThan(3 * megabyte);
    expect(faults.problems).toEqual([]);
  });
});

describe('watches of the embedded API server that nobody reads', () => {
  it('cost no more than what was under way when their clients stopped reading', { timeout: 120_000 }, async () => {
    const faults = await faultServer();
    const sockets = await openWatches(faults, 20);
    for (const socket of sockets) socket.pause();
    const before = await settledHeapBytes();

    // Three times what history holds on to, to twenty watchers: 1.3 GB if it were kept for them.
    for (let index = 0; index < 130; index++) {
      await faults.admin.create(maps, configMap('large', 500_000));
      await faults.admin.delete(`${maps}/large`);
    }

    const history = 64 * megabyte;
    expect((await settledHeapBytes()) - before).toBeLessThan(history + 50 * megabyte);
    for (const socket of sockets) socket.destroy();
    await allGone(faults);
  });

  it('end, and so do their connections', async () => {
    const faults = await faultServer({ patience: { stallSeconds: 2 } });
    const reading = await faults.admin.watch(maps);
    const [socket] = await openWatches(faults, 1);
    socket?.pause();
    // More than the two ends of a connection buffer.
    for (let index = 0; index < 40; index++) await faults.admin.create(maps, configMap(`large-${index}`, 500_000));

    await eventually(() => faults.server.usage().watches === 1, { what: 'the watch that is read' });
    await reading.until(({ object }) => object.metadata.name === 'large-39', 'the last of them');
    reading.close();
    await allGone(faults);
    expect(faults.problems).toEqual([]);
  });

  it('go on where they were when their clients read again', async () => {
    const faults = await faultServer();
    const [socket] = await openWatches(faults, 1);
    socket?.pause();
    for (let index = 0; index < 40; index++) await faults.admin.create(maps, configMap(`large-${index}`, 500_000));

    const count = socket && countEvents(socket);
    socket?.resume();

    await eventually(() => count?.() === 40, { what: 'all events' });
  });

  it('end with their server', async () => {
    const faults = await faultServer();
    const sockets = await openWatches(faults, 5);
    const closed = sockets.map((socket) => once(socket, 'close'));
    for (const socket of sockets.slice(0, 2)) socket.pause();
    for (let index = 0; index < 20; index++) await faults.admin.create(maps, configMap(`large-${index}`, 500_000));

    await faults.server.stop();
    for (const socket of sockets) socket.resume();

    await Promise.all(closed);
    expect(faults.server.usage()).toEqual({ connections: 0, watches: 0 });
  });
});
