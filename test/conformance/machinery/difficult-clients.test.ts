import { connect as connectTls, type TLSSocket } from 'node:tls';
import { once } from 'node:events';
import { expect } from 'vitest';
import { secret } from '../objects.ts';
import { inNamespace } from '../paths.ts';
import type { Server } from '../server.ts';
import { conformance } from '../suite.ts';

const namespace = 'conf-faults';
const secrets = inNamespace('v1/secrets', namespace);

conformance('difficult clients', ({ check, prepare }) => {
  prepare((server) => server.createNamespace(namespace));

  /** A connection on which a client may misbehave. */
  const dial = async ({ url, caCertificate }: Server): Promise<TLSSocket> => {
    const { hostname, port } = new URL(url);
    const socket = connectTls({ host: hostname, port: Number(port), ca: caCertificate });
    await once(socket, 'secureConnect');
    return socket;
  };

  const answersStill = async ({ admin }: Server) => {
    expect((await admin.get(secrets())).status).toBe(200);
  };

  check('hangs up in the middle of a body and the server goes on', async (server) => {
    const socket = await dial(server);
    socket.write(
      `POST ${secrets()} HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 1000\r\n\r\n{"a":`,
    );
    socket.destroy();

    await answersStill(server);
  });

  check('sends no HTTP and is refused', async (server) => {
    const socket = await dial(server);
    socket.write('this is not HTTP\r\n\r\n');
    const chunks = (await socket.toArray()) as Buffer[];

    expect(Buffer.concat(chunks).toString()).toMatch(/^HTTP\/1\.1 400 /);
    await answersStill(server);
  });

  check('sends a header without end and is refused', async (server) => {
    const socket = await dial(server);
    socket.on('error', () => undefined);
    socket.write(`GET /version HTTP/1.1\r\nhost: x\r\nx-long: ${'a'.repeat(2_000_000)}`);
    socket.setEncoding('utf8');
    const [answer] = (await once(socket, 'data')) as [string];
    socket.destroy();

    expect(answer).toMatch(/^HTTP\/1\.1 431 /);
    await answersStill(server);
  });

  check('opens a thousand watches, of which each tells of a change, and closes them at once', async ({ admin }) => {
    const { body } = await admin.get(secrets());
    const watches = await Promise.all(
      Array.from({ length: 1_000 }, () => admin.watch(`${secrets()}?resourceVersion=${body.metadata.resourceVersion}`)),
    );
    await admin.create(secrets(), secret('news'));

    for (const watch of watches) await watch.until(({ object }) => object.metadata.name === 'news', 'the new secret');
    for (const watch of watches) watch.close();

    expect(new Set(watches.map(({ status }) => status))).toEqual(new Set([200]));
    expect((await admin.get(secrets('news'))).status).toBe(200);
  });

  check('does not read a watch while others do', async ({ admin, ...server }) => {
    const { body } = await admin.get(secrets());
    const slow = await dial({ admin, ...server });
    slow.pause();
    slow.write(`GET ${secrets()}?watch=1 HTTP/1.1\r\nhost: x\r\n\r\n`);
    const watch = await admin.watch(`${secrets()}?resourceVersion=${body.metadata.resourceVersion}`);
    for (let index = 0; index < 20; index++) await admin.create(secrets(), secret(`many-${index}`));

    await watch.until(({ object }) => object.metadata.name === 'many-19', 'the last secret');
    watch.close();
    slow.destroy();
  });

  check('races with others for one object, and exactly one wins each version', async ({ admin }) => {
    const created = await admin.create(secrets(), secret('race'));
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        admin.put(secrets('race'), {
          ...created,
          metadata: { ...created.metadata, labels: { winner: String(index) } },
        }),
      ),
    );

    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
      200,
      ...Array.from({ length: 9 }, () => 409),
    ]);
  });

  check('patches at the same time as others, and all patches hold', async ({ admin }) => {
    await admin.create(secrets(), secret('together'));
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        admin.patch('merge', secrets('together'), { metadata: { labels: { [`l${index}`]: 'x' } } }),
      ),
    );

    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 200));
    expect(Object.keys((await admin.get(secrets('together'))).body.metadata.labels)).toHaveLength(10);
  });

  check('creates the same name at the same time as others, and exactly one wins', async ({ admin }) => {
    const answers = await Promise.all(Array.from({ length: 10 }, () => admin.post(secrets(), secret('first'))));

    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
      201,
      ...Array.from({ length: 9 }, () => 409),
    ]);
  });
});
