import type { IncomingMessage } from 'node:http';
import { describe, expect, it } from 'vitest';
import { ConfigMaps, Namespaces, Secrets } from '../objects/core.ts';
import { type Handler, loopback } from '../transport/loopback.fixture.ts';
import { createClient } from './client.ts';

const { serve, open } = loopback();

async function clientOf(handler: Handler) {
  return createClient(open(await serve(handler), {}, { retry: { attempts: 0 } }));
}

const parameters = (request: IncomingMessage) =>
  Object.fromEntries(new URL(request.url ?? '', 'http://x').searchParams);

describe('client', () => {
  it('asks for later pages by their token alone, which is all that API servers accept', async () => {
    const asked: Record<string, string>[] = [];
    const client = await clientOf((request, response) => {
      asked.push(parameters(request));
      const metadata = { resourceVersion: '7', continue: asked.length < 2 ? 'next' : undefined };
      response.setHeader('content-type', 'application/json').end(JSON.stringify({ metadata, items: [] }));
    });
    const options = { resourceVersion: '7', resourceVersionMatch: 'Exact', labelSelector: 'a=b', limit: 2 } as const;
    for await (const page of client.resource(Secrets).pages(options)) expect(page.metadata.resourceVersion).toBe('7');
    expect(asked).toEqual([
      { resourceVersion: '7', resourceVersionMatch: 'Exact', labelSelector: 'a=b', limit: '2' },
      { labelSelector: 'a=b', limit: '2', continue: 'next' },
    ]);
  });

  it('says that an object does not exist only when an API server said so about the object', async () => {
    const answers: Record<string, [number, string]> = {
      gone: [404, JSON.stringify({ kind: 'Status', apiVersion: 'v1', code: 404, reason: 'NotFound' })],
      unserved: [404, '404 page not found'],
      proxy: [404, JSON.stringify({ type: 'error', message: 'no such cluster' })],
    };
    const client = await clientOf((request, response) => {
      const [status, text] = answers[request.url?.split('/').at(-1) ?? ''] ?? [500, ''];
      response.writeHead(status).end(text);
    });
    const namespaces = client.resource(Namespaces);
    expect(await namespaces.find({ name: 'gone' })).toBeUndefined();
    await expect(namespaces.find({ name: 'unserved' })).rejects.toMatchObject({ code: 'KUBE_NOT_FOUND' });
    await expect(namespaces.find({ name: 'proxy' })).rejects.toMatchObject({ code: 'KUBE_NOT_FOUND' });
  });

  it('rejects what cannot be addressed, and never throws before there is a promise', async () => {
    const client = await clientOf(() => {});
    const maps = client.resource(ConfigMaps);
    const nameless = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { namespace: 'a' } };
    const homeless = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'm' } };
    const calls = [
      () => maps.get({ namespace: 'a', name: '' }),
      () => maps.create(homeless),
      () => maps.replace(nameless),
      () => maps.patch({ name: 'm' }, { type: 'merge', patch: {} }),
      () => maps.apply(nameless, { fieldManager: 'test' }),
      () => maps.delete({ name: 'm' }),
      () => maps.list({ namespace: '' }),
      () => maps.get({ namespace: 'a', name: '\ud800' }),
    ];
    for (const call of calls) await expect(call()).rejects.toMatchObject({ code: 'KUBE_INVALID' });
    await expect(maps.create(homeless)).rejects.toThrow('the namespace of m is missing');
    await expect(maps.create({ ...homeless, metadata: { generateName: 'm-' } })).rejects.toThrow('namespace of m-');
  });
});
