import { once } from 'node:events';
import { connect as connectTcp } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { eventually } from '@klutch/kit';
import { describe, expect, it } from 'vitest';
import { type FaultServer, faultServer } from './fault-server.ts';

const maps = '/api/v1/namespaces/default/configmaps';
const configMap = (name: string, data: Record<string, string> = {}) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name },
  data,
});

/** Everything that comes until the server closes the connection. */
async function untilClosed(socket: TLSSocket): Promise<string> {
  let text = '';
  socket.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk;
  });
  await once(socket, 'close');
  return text;
}

/** Writes a text again and again until the server has ended the connection. */
function dribble(socket: TLSSocket, text: string): void {
  const timer = setInterval(() => socket.write(text), 50);
  for (const over of ['end', 'close']) socket.once(over, () => clearInterval(timer));
}

async function expectQuiet({ server, admin, problems }: FaultServer): Promise<void> {
  admin.close();
  await eventually(() => server.usage().connections === 0, { what: 'all connections closed' });
  expect(server.usage()).toEqual({ connections: 0, watches: 0 });
  expect(problems).toEqual([]);
}

describe('slow clients of the embedded API server', () => {
  const impatient = { patience: { requestSeconds: 1 } };

  it('are let go when they dribble headers', async () => {
    const faults = await faultServer(impatient);
    const socket = await faults.dial();
    socket.write('GET /version HTTP/1.1\r\nhost: x\r\n');
    dribble(socket, 'x-more: 1\r\n');

    const text = await untilClosed(socket);

    expect(text).toMatch(/^HTTP\/1\.1 408 /);
    await expectQuiet(faults);
  });

  it('are let go when they dribble a body, of which nothing is kept', async () => {
    const faults = await faultServer(impatient);
    const socket = await faults.dial();
    socket.write(`POST ${maps} HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 9999\r\n\r\n`);
    dribble(socket, '{');

    const text = await untilClosed(socket);

    expect(text).toMatch(/^HTTP\/1\.1 408 /);
    await expectQuiet(faults);
  });

  it('are let go when they do not even finish the handshake', async () => {
    const faults = await faultServer(impatient);
    const { hostname, port } = new URL(faults.server.url);
    const socket = connectTcp({ host: hostname, port: Number(port) });
    socket.on('error', () => undefined);

    await once(socket, 'close');

    await expectQuiet(faults);
  });

  it('are let go when they do not take their answer', async () => {
    const faults = await faultServer({ patience: { stallSeconds: 2 } });
    for (let index = 0; index < 40; index++) {
      await faults.admin.create(maps, configMap(`large-${index}`, { text: 'x'.repeat(500_000) }));
    }
    const socket = await faults.dial();
    socket.pause();
    socket.write(`GET ${maps} HTTP/1.1\r\nhost: x\r\n\r\n`);

    faults.admin.close();
    await eventually(() => faults.server.usage().connections === 0, { what: 'the connection closed' });

    expect(faults.problems).toEqual([]);
  });
});

describe('clients of the embedded API server that vanish', () => {
  it('leave nothing behind, wherever they were', async () => {
    const faults = await faultServer();
    const heads = [
      '',
      'GET /ver',
      'GET /version HTTP/1.1\r\nhost: x\r\n\r\n',
      `GET ${maps}?watch=1 HTTP/1.1\r\nhost: x\r\n\r\n`,
      `POST ${maps} HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 99\r\n\r\n{"kind":`,
      `PATCH ${maps}/a HTTP/1.1\r\nhost: x\r\ncontent-type: application/merge-patch+json\r\ntransfer-encoding: chunked\r\n\r\n5\r\n{"a":`,
      `DELETE ${maps}/a HTTP/1.1\r\nhost: x\r\ncontent-length: 9\r\n\r\n`,
    ];
    for (let round = 0; round < 5; round++) {
      const sockets = await Promise.all(heads.map(() => faults.dial()));
      sockets.forEach((socket, index) => {
        socket.write(heads[index] ?? '');
        // Some with a reset, some with a proper end.
        if (round % 2 === 0) faults.tear(socket);
        else socket.destroy();
      });
    }

    expect((await faults.admin.get(maps)).status).toBe(200);
    await expectQuiet(faults);
  });

  it('are missed by their watches only', async () => {
    const faults = await faultServer();
    const { body } = await faults.admin.get(maps);
    const from = `resourceVersion=${body.metadata.resourceVersion}`;
    const stays = await faults.admin.watch(`${maps}?${from}`);
    const leaving = await Promise.all(Array.from({ length: 20 }, () => faults.dial()));
    for (const socket of leaving) socket.write(`GET ${maps}?watch=1&${from} HTTP/1.1\r\nhost: x\r\n\r\n`);
    await eventually(() => faults.server.usage().watches === 21, { what: 'all watches open' });
    const writes = Promise.all(
      Array.from({ length: 50 }, (_, index) => faults.admin.create(maps, configMap(`c-${index}`))),
    );
    for (const socket of leaving) faults.tear(socket);
    await writes;

    const events = await stays.take(50);
    await eventually(() => faults.server.usage().watches === 1, { what: 'one watch left' });

    expect(new Set(events.map(({ object }) => object.metadata.name)).size).toBe(50);
    stays.close();
    await expectQuiet(faults);
  });
});
