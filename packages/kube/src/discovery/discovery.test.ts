import { describe, expect, it } from 'vitest';
import { KubeError } from '../errors/kube-error.ts';
import type { KubeRequest, Transport } from '../transport/types.ts';
import { createDiscovery } from './discovery.ts';

const aggregated: Record<string, unknown> = {
  '/api': {
    kind: 'APIGroupDiscoveryList',
    items: [{ metadata: {}, versions: [{ version: 'v1', resources: [resource('secrets', 'Secret', 'Namespaced')] }] }],
  },
  '/apis': {
    kind: 'APIGroupDiscoveryList',
    items: [
      {
        metadata: { name: 'example.org' },
        versions: [
          { version: 'v2', resources: [resource('widgets', 'Widget', 'Cluster')] },
          { version: 'v1', resources: [resource('widgets', 'Widget', 'Cluster')] },
        ],
      },
    ],
  },
};

const legacy: Record<string, unknown> = {
  '/api': { kind: 'APIVersions', versions: ['v1'] },
  '/api/v1': {
    kind: 'APIResourceList',
    groupVersion: 'v1',
    resources: [
      { name: 'secrets', kind: 'Secret', namespaced: true, singularName: 'secret', verbs: ['get'] },
      { name: 'pods/log', kind: 'Pod', namespaced: true },
      { name: 'pods', kind: 'Pod', namespaced: true },
    ],
  },
  '/apis': {
    kind: 'APIGroupList',
    groups: [
      {
        name: 'example.org',
        preferredVersion: { groupVersion: 'example.org/v2' },
        versions: [{ groupVersion: 'example.org/v1' }, { groupVersion: 'example.org/v2' }],
      },
    ],
  },
  '/apis/example.org/v1': {
    groupVersion: 'example.org/v1',
    resources: [{ name: 'widgets', kind: 'Widget', namespaced: false }],
  },
  '/apis/example.org/v2': {
    groupVersion: 'example.org/v2',
    resources: [{ name: 'widgets', kind: 'Widget', namespaced: false }],
  },
};

function resource(plural: string, kind: string, scope: string) {
  return {
    resource: plural,
    responseKind: { kind },
    scope,
    singularResource: plural.slice(0, -1),
    verbs: ['get'],
    subresources: [{ subresource: 'status' }],
  };
}

const unavailable = new KubeError('KUBE_SERVER_ERROR', 'no endpoints', { status: 503 });
const stale = { version: 'v1', freshness: 'Stale' };
const version = (name: string, resources: readonly object[]) => ({ version: name, resources });
const groups = (...items: readonly { name: string; versions?: readonly object[] }[]) => ({
  kind: 'APIGroupDiscoveryList',
  items: items.map(({ name, versions }) => ({ metadata: { name }, versions })),
});

function transportOf(answers: Record<string, unknown>) {
  const asked: string[] = [];
  const transport: Transport = {
    server: 'https://test',
    send: () => Promise.reject(new Error('not used')),
    json: async <T>(request: KubeRequest) => {
      asked.push(request.path);
      const answer = answers[request.path];
      if (answer === undefined) throw new Error(`nobody expected ${request.path}`);
      if (answer instanceof Error) throw answer;
      return answer as T;
    },
    close: async () => {},
  };
  return { transport, asked };
}

describe('discovery', () => {
  it.each([
    ['aggregated', aggregated],
    ['legacy', legacy],
  ])('maps kinds and resources with %s answers', async (_, answers) => {
    const discovery = createDiscovery(transportOf(answers).transport);
    expect(await discovery.forKind('v1', 'Secret')).toMatchObject({
      group: '',
      version: 'v1',
      plural: 'secrets',
      namespaced: true,
    });
    expect(await discovery.forKind('example.org/v1', 'Widget')).toMatchObject({
      group: 'example.org',
      version: 'v1',
      namespaced: false,
    });
    expect(await discovery.forResource('example.org', 'widgets')).toMatchObject({ version: 'v2' });
  });

  it('lists subresources with their resource', async () => {
    const discovery = createDiscovery(transportOf(legacy).transport);
    expect(await discovery.forResource('', 'pods')).toMatchObject({ subresources: ['log'] });
  });

  it('asks the server once for many questions', async () => {
    const { transport, asked } = transportOf(aggregated);
    const discovery = createDiscovery(transport);
    await Promise.all([
      discovery.all(),
      discovery.forKind('v1', 'Secret'),
      discovery.forResource('example.org', 'widgets'),
    ]);
    expect(asked).toEqual(['/api', '/apis']);
  });

  it('asks again before it says that a kind does not exist, but not all the time', async () => {
    let now = 0;
    const answers = { ...aggregated };
    const { transport, asked } = transportOf(answers);
    const discovery = createDiscovery(transport, { now: () => now });
    await discovery.all();
    now = 2000;
    answers['/apis'] = {
      kind: 'APIGroupDiscoveryList',
      items: [
        {
          metadata: { name: 'new.org' },
          versions: [{ version: 'v1', resources: [resource('gadgets', 'Gadget', 'Namespaced')] }],
        },
      ],
    };
    expect(await discovery.forKind('new.org/v1', 'Gadget')).toMatchObject({ plural: 'gadgets' });
    await expect(discovery.forKind('example.org/v1', 'Unicorn')).rejects.toMatchObject({
      code: 'KUBE_NOT_FOUND',
      message: expect.stringContaining('Unicorn'),
    });
    expect(asked).toHaveLength(4);
  });

  it('does not keep a failure', async () => {
    const answers: Record<string, unknown> = { '/apis': aggregated['/apis'] };
    const discovery = createDiscovery(transportOf(answers).transport);
    await expect(discovery.all()).rejects.toThrow();
    answers['/api'] = aggregated['/api'];
    expect(await discovery.forKind('v1', 'Secret')).toBeDefined();
  });

  it('lets one caller give up without taking the answer from others', async () => {
    const discovery = createDiscovery(transportOf(aggregated).transport);
    const impatient = discovery.all(AbortSignal.abort());
    const patient = discovery.all();
    await expect(impatient).rejects.toMatchObject({ code: 'KUBE_ABORTED' });
    expect(await patient).toHaveLength(3);
  });

  it('believes a second question that came while the first was being checked with the server', async () => {
    let now = 0;
    const answers = { ...aggregated };
    const { transport, asked } = transportOf(answers);
    const discovery = createDiscovery(transport, { now: () => now });
    await discovery.all();
    now = 2000;
    answers['/apis'] = groups({
      name: 'new.org',
      versions: [version('v1', [resource('gadgets', 'Gadget', 'Cluster')])],
    });
    const found = await Promise.all([1, 2, 3].map(() => discovery.forKind('new.org/v1', 'Gadget')));
    expect(found).toHaveLength(3);
    expect(asked).toHaveLength(4);
  });

  it('is not disturbed by the server of another group that does not answer', async () => {
    const { transport } = transportOf({ ...legacy, '/apis/example.org/v1': unavailable });
    const discovery = createDiscovery(transport);
    expect(await discovery.forKind('v1', 'Secret')).toMatchObject({ plural: 'secrets' });
    expect(await discovery.forResource('example.org', 'widgets')).toMatchObject({ version: 'v2' });
    expect(await discovery.all()).toHaveLength(3);
  });

  it.each([
    ['aggregated', { ...aggregated, '/apis': groups({ name: 'example.org', versions: [stale] }) }],
    ['legacy', { ...legacy, '/apis/example.org/v1': unavailable, '/apis/example.org/v2': unavailable }],
  ])('does not say that a kind is gone when nobody knows (%s)', async (_, answers) => {
    const discovery = createDiscovery(transportOf(answers).transport);
    await expect(discovery.forKind('example.org/v1', 'Widget')).rejects.toMatchObject({
      code: 'KUBE_SERVER_ERROR',
      message: expect.stringContaining('example.org/v1'),
    });
    await expect(discovery.forResource('example.org', 'widgets')).rejects.toMatchObject({ code: 'KUBE_SERVER_ERROR' });
    await expect(discovery.forKind('other.org/v1', 'Widget')).rejects.toMatchObject({ code: 'KUBE_NOT_FOUND' });
  });

  it('uses what a group that does not answer right now served before', async () => {
    const known = { ...stale, resources: [resource('widgets', 'Widget', 'Cluster')] };
    const answers = {
      ...aggregated,
      '/apis': groups({ name: 'example.org', versions: [known] }, { name: 'empty.org' }),
    };
    const discovery = createDiscovery(transportOf(answers).transport);
    expect(await discovery.forKind('example.org/v1', 'Widget')).toMatchObject({ plural: 'widgets' });
  });

  it('fails as a whole when the connection to the server breaks', async () => {
    const cut = new KubeError('KUBE_UNREACHABLE', 'cut');
    const discovery = createDiscovery(transportOf({ ...legacy, '/apis/example.org/v1': cut }).transport);
    await expect(discovery.all()).rejects.toMatchObject({ code: 'KUBE_UNREACHABLE' });
  });
});
