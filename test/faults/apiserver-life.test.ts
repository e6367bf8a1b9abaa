import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect as connectTcp, createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startApiServer } from '@klutch/apiserver';
import { eventually } from '@klutch/kit';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createClient } from '../conformance/client.ts';
import { credentialsIn, faultServer } from './fault-server.ts';

const maps = '/api/v1/namespaces/default/configmaps';
const configMap = (name: string) => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name } });

async function scratchFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'klutch-faults-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

describe('stopping the embedded API server', () => {
  it('does not wait for clients, whatever they are in the middle of', async () => {
    const { server, admin, dial } = await faultServer();
    const { hostname, port } = new URL(server.url);
    const shy = connectTcp({ host: hostname, port: Number(port) });
    const sockets = [shy, await dial(), await dial(), await dial(), await dial()];
    sockets[1]?.write('GET /version HTTP/1.1\r\nhost:');
    sockets[2]?.write(`POST ${maps} HTTP/1.1\r\nhost: x\r\ncontent-length: 50\r\n\r\n{`);
    sockets[3]?.write(`GET ${maps}?watch=1 HTTP/1.1\r\nhost: x\r\n\r\n`);
    const watch = await admin.watch(maps);
    await eventually(() => server.usage().watches === 2, { what: 'both watches' });
    const closed = sockets.map((socket) =>
      once(
        socket.on('error', () => undefined),
        'close',
      ),
    );

    await server.stop();

    for (const socket of sockets) socket.resume();
    await Promise.all(closed);
    await watch.ended();
    expect(server.usage()).toEqual({ connections: 0, watches: 0 });
  });

  it('keeps every write that was acknowledged, and lets the others fail', async () => {
    const dir = await scratchFolder();
    const { server, admin } = await faultServer({ dir });
    const acknowledged: string[] = [];
    const writes = Array.from({ length: 100 }, async (_, index) => {
      const answer = await admin.post(maps, configMap(`c-${index}`));
      if (answer.status === 201) acknowledged.push(answer.body.metadata.name);
    });
    await Promise.race(writes);

    await server.stop();
    await Promise.allSettled(writes);

    const again = await faultServer({ dir });
    const { body } = await again.admin.get(maps);
    const kept = new Set(body.items.map(({ metadata }) => metadata.name));
    expect(acknowledged.length).toBeGreaterThan(0);
    expect(acknowledged.filter((name) => !kept.has(name))).toEqual([]);
  });

  it('is one thing however often it is asked for', async () => {
    const { server } = await faultServer();
    await Promise.all([server.stop(), server.stop()]);
    await server.stop();
    expect(server.usage()).toEqual({ connections: 0, watches: 0 });
  });
});

describe('an embedded API server that cannot start', () => {
  it('says so of a port that is in use, and leaves its folder to others', async () => {
    const dir = await scratchFolder();
    const occupant = createServer().listen(0, '127.0.0.1');
    await once(occupant, 'listening');
    onTestFinished(() => void occupant.close());
    const { port } = occupant.address() as AddressInfo;

    await expect(startApiServer({ dir, port })).rejects.toMatchObject({
      code: 'KLUTCH_APISERVER_PORT_IN_USE',
      message: `Port ${port} is in use; choose another one, or 0 for any.`,
    });

    const { admin } = await faultServer({ dir });
    expect((await admin.get(maps)).status).toBe(200);
  });

  it('says so of a folder that another one uses', async () => {
    const dir = await scratchFolder();
    const { admin } = await faultServer({ dir });

    await expect(startApiServer({ dir })).rejects.toMatchObject({ code: 'KLUTCH_STORE_LOCKED' });

    expect((await admin.post(maps, configMap('still-there'))).status).toBe(201);
  });

  it('says so of keys that are none, and leaves its folder to others', async () => {
    const dir = await scratchFolder();
    await mkdir(join(dir, 'pki'));
    await writeFile(join(dir, 'pki', 'ca.key'), 'no key');
    await writeFile(join(dir, 'pki', 'ca.crt'), 'no certificate');

    await expect(startApiServer({ dir })).rejects.toMatchObject({ code: 'KLUTCH_APISERVER_PKI_UNUSABLE' });

    await rm(join(dir, 'pki'), { recursive: true });
    await (await startApiServer({ dir })).stop();
  });
});

describe('twenty embedded API servers in one process', () => {
  it('know nothing of each other', async () => {
    const servers = await Promise.all(Array.from({ length: 20 }, () => faultServer()));

    for (const [index, { admin }] of servers.entries()) await admin.create(maps, configMap(`of-${index}`));

    for (const [index, { admin }] of servers.entries()) {
      const { body } = await admin.get(maps);
      const names = body.items.map(({ metadata }) => metadata.name).filter((name) => name.startsWith('of-'));
      expect(names).toEqual([`of-${index}`]);
    }
    expect(new Set(servers.map(({ server }) => server.url)).size).toBe(20);
  });

  it('do not take each other’s credentials', async () => {
    const [one, other] = [await faultServer(), await faultServer()];
    const stranger = createClient(one.server, credentialsIn(other.server.kubeconfig()), () => undefined);
    onTestFinished(() => stranger.close());

    expect((await stranger.get(maps)).status).toBe(401);
    await one.server.stop();

    expect((await other.admin.get(maps)).status).toBe(200);
  });
});
