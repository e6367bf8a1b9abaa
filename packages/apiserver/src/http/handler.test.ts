import { once } from 'node:events';
import { createServer, type IncomingMessage, request as httpRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { World } from '../operations/call.ts';
import { testWorld, thingResource } from '../operations/testing/test-world.ts';
import { StatusError } from '../status/status-error.ts';
import { createWatchHub, type WatchHub } from '../watch/index.ts';
import { createHandler } from './handler.ts';

const deprecationWarning = 'things are old';
let world: World;
let watches: WatchHub;
let port: number;
let unexpected: unknown[];
let close: () => Promise<void>;

beforeEach(async () => {
  world = await testWorld(thingResource({ deprecationWarning }));
  watches = createWatchHub(world.store);
  unexpected = [];
  const handler = createHandler({
    world,
    watches,
    gate: {
      admit: async ({ headers }) => {
        if (headers.authorization === 'none') throw new StatusError(403, 'Forbidden', 'not you');
        return { name: 'tester', groups: [] };
      },
    },
    special: new Map(),
    other: (path) => {
      if (path === '/broken') throw new Error('a bug');
      return path === '/version' ? { code: 200, text: '{"major":"1"}' } : undefined;
    },
    onUnexpected: (error) => unexpected.push(error),
  });
  const server = createServer((request, response) => void handler(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  ({ port } = server.address() as AddressInfo);
  close = async () => {
    watches.close();
    server.closeAllConnections();
    server.close();
    await world.store.close();
  };
});

afterEach(() => close());

interface Sent {
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
}

async function open(method: string, path: string, { body, headers }: Sent = {}): Promise<IncomingMessage> {
  const request = httpRequest({ host: '127.0.0.1', port, method, path, headers, agent: false });
  request.end(body === undefined ? undefined : JSON.stringify(body));
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  return response;
}

async function send(method: string, path: string, sent?: Sent) {
  const response = await open(method, path, sent);
  const text = Buffer.concat(await response.toArray()).toString();
  return { status: response.statusCode, headers: response.headers, text, body: parsed(text) };
}

function parsed(text: string): Record<string, unknown> {
  return text.startsWith('{') ? (JSON.parse(text) as Record<string, unknown>) : {};
}

const things = '/apis/test.example/v1/namespaces/home/things';
const thing = (name: string, spec: object = {}) => ({
  apiVersion: 'test.example/v1',
  kind: 'Thing',
  metadata: { name },
  spec,
});

describe('requests for resources', () => {
  it('create, read, change, list and delete', async () => {
    const created = await send('POST', things, { body: thing('a', { size: 1 }) });
    const patched = await send('PATCH', `${things}/a`, {
      body: { spec: { size: 2 } },
      headers: { 'content-type': 'application/merge-patch+json' },
    });
    const read = await send('GET', `${things}/a`);
    const list = await send('GET', things);
    const removed = await send('DELETE', `${things}/a`);

    expect([created, patched, read, list, removed].map(({ status }) => status)).toEqual([201, 200, 200, 200, 200]);
    expect(read.body['spec']).toEqual({ size: 2, color: 'grey' });
    expect(list.body).toMatchObject({ kind: 'ThingList', items: [{ metadata: { name: 'a' } }] });
    expect(removed.body).toMatchObject({ status: 'Success', details: { name: 'a', kind: 'things' } });
    expect((await send('GET', `${things}/a`)).status).toBe(404);
  });

  it('are warned of what is deprecated', async () => {
    expect((await send('GET', things)).headers['warning']).toBe(`299 - "${deprecationWarning}"`);
  });

  it('are answered in the form that they want', async () => {
    await send('POST', things, { body: thing('a') });
    const yaml = await send('GET', `${things}/a`, { headers: { accept: 'application/yaml' } });
    const table = await send('GET', things, {
      headers: { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' },
    });
    const html = await send('GET', things, { headers: { accept: 'text/html' } });

    expect([yaml.headers['content-type'], yaml.text.startsWith('apiVersion: test.example/v1\n')]).toEqual([
      'application/yaml',
      true,
    ]);
    expect(table.body).toMatchObject({ kind: 'Table', rows: [{ cells: ['a'] }] });
    expect(html.status).toBe(406);
  });

  it('may watch, and end when the client leaves', async () => {
    const response = await open('GET', `${things}?watch=1`);
    await send('POST', things, { body: thing('a') });
    const [line] = (await once(response.setEncoding('utf8'), 'data')) as [string];

    expect(JSON.parse(line)).toMatchObject({ type: 'ADDED', object: { metadata: { name: 'a' } } });
    expect(watches.size).toBe(1);
    response.destroy();
    await expect.poll(() => watches.size).toBe(0);
  });

  it.each([
    ['GET', `${things}/absent`, 404, 'things.test.example "absent" not found'],
    ['PUT', things, 400, 'name must be provided'],
    ['GET', `${things}?limit=x`, 400, 'strconv.ParseInt: parsing "x": invalid syntax'],
    ['GET', `${things}?watch=1&limit=x`, 400, 'strconv.ParseInt: parsing "x": invalid syntax'],
  ])('are refused with a status: %s %s', async (method, path, code, message) => {
    const { status, body } = await send(method, path);

    expect([status, body]).toEqual([code, expect.objectContaining({ kind: 'Status', code, message })]);
  });
});

describe('other requests', () => {
  it('are answered by others', async () => {
    expect(await send('GET', '/version')).toMatchObject({ status: 200, body: { major: '1' } });
  });

  it.each(['/nowhere', '/apis/nobody.example/v1/things'])('lead nowhere: %s', async (path) => {
    expect(await send('GET', path)).toMatchObject({ status: 404, text: '404 page not found\n' });
  });

  it('are kept out', async () => {
    const { status, body } = await send('GET', '/version', { headers: { authorization: 'none' } });

    expect([status, body['message']]).toEqual([403, 'not you']);
  });

  it('that meet a bug fail without telling what it is', async () => {
    const { status, text } = await send('GET', '/broken');

    expect([status, text.includes('a bug')]).toEqual([500, false]);
    expect(unexpected).toMatchObject([{ message: 'a bug' }]);
  });
});
