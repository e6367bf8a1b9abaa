import { createAuthority, type PlaneAccess } from '@klutch/kit';
import { createNamespace, describeReal, sharedPlane } from '@klutch/kit/vitest';
import {
  type ConfigMap,
  ConfigMaps,
  connect,
  createDiscovery,
  type KubeClient,
  Namespaces,
  parseKubeconfig,
  type ResourceType,
  Secrets,
  type UnknownObject,
} from '@klutch/kube';
import { eventually } from '@klutch/kube/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const ServiceAccounts: ResourceType = {
  group: '',
  version: 'v1',
  plural: 'serviceaccounts',
  kind: 'ServiceAccount',
  namespaced: true,
};
const fieldManager = 'klutch-test';

const clientOf = (kubeconfig: string): KubeClient =>
  connect(parseKubeconfig(kubeconfig, { source: 'the test', trust: 'local' }), { userAgent: 'klutch-test/1' });

const configMap = (namespace: string, name: string, data: Record<string, string> = {}): ConfigMap => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { namespace, name },
  data,
});

describeReal('client on a real API server', () => {
  let plane: PlaneAccess;
  let client: KubeClient;
  let namespace: string;

  beforeAll(async () => {
    plane = await sharedPlane();
    client = clientOf(plane.admin.kubeconfig);
    namespace = await createNamespace(plane, 'client');
  });

  afterAll(() => client.close());

  it('creates, reads, replaces, patches and deletes', async () => {
    const maps = client.resource(ConfigMaps);
    const ref = { namespace, name: 'crud' };
    const created = await maps.create(configMap(namespace, 'crud', { a: '1' }), { fieldManager });
    expect(created.metadata.uid).toBeDefined();
    const replaced = await maps.replace({ ...created, data: { a: '2' } });
    expect(replaced.data).toEqual({ a: '2' });
    await expect(maps.replace({ ...created, data: {} })).rejects.toMatchObject({ code: 'KUBE_CONFLICT', status: 409 });
    const merged = await maps.patch(ref, { type: 'merge', patch: { data: { a: null, b: '3' } } });
    expect(merged.data).toEqual({ b: '3' });
    const patched = await maps.patch(ref, { type: 'json', patch: [{ op: 'add', path: '/data/c', value: '4' }] });
    expect(patched.data).toEqual({ b: '3', c: '4' });
    await expect(maps.delete(ref, { preconditions: { uid: 'another' } })).rejects.toMatchObject({
      code: 'KUBE_CONFLICT',
    });
    await maps.delete(ref, { preconditions: { uid: created.metadata.uid } });
    expect(await maps.find(ref)).toBeUndefined();
    await expect(maps.get(ref)).rejects.toMatchObject({
      code: 'KUBE_NOT_FOUND',
      reason: 'NotFound',
      object: expect.stringContaining('crud'),
    });
  });

  it('does not take a type that is not served for an object that is not there', async () => {
    const unicorns = { group: 'example.org', version: 'v1', plural: 'unicorns', kind: 'Unicorn', namespaced: true };
    await expect(client.resource(unicorns).find({ namespace, name: 'u' })).rejects.toMatchObject({
      code: 'KUBE_NOT_FOUND',
    });
  });

  it('says when an object exists already', async () => {
    const maps = client.resource(ConfigMaps);
    await maps.create(configMap(namespace, 'twice'));
    await expect(maps.create(configMap(namespace, 'twice'))).rejects.toMatchObject({ code: 'KUBE_ALREADY_EXISTS' });
  });

  it('applies fields of its own, removes those it no longer wants, and meets conflicts', async () => {
    const maps = client.resource(ConfigMaps);
    const ref = { namespace, name: 'applied' };
    await maps.apply(configMap(namespace, 'applied', { a: '1', b: '2' }), { fieldManager });
    await maps.apply(configMap(namespace, 'applied', { c: '3' }), { fieldManager: 'somebody-else' });
    const applied = await maps.apply(configMap(namespace, 'applied', { a: '1' }), { fieldManager });
    expect(applied.data).toEqual({ a: '1', c: '3' });
    const takeover = configMap(namespace, 'applied', { c: 'mine' });
    await expect(maps.apply(takeover, { fieldManager })).rejects.toMatchObject({ code: 'KUBE_CONFLICT' });
    await maps.apply(takeover, { fieldManager, force: true });
    expect((await maps.get(ref)).data).toEqual({ c: 'mine' });
  });

  it('lists in pages and selects by label, field and metadata alone', async () => {
    const own = await createNamespace(plane, 'pages');
    const maps = client.resource(ConfigMaps);
    for (let i = 0; i < 7; i++) {
      const object = configMap(own, `map-${i}`, { i: String(i) });
      await maps.create({ ...object, metadata: { ...object.metadata, labels: { odd: String(i % 2) } } });
    }
    const sizes: number[] = [];
    for await (const page of maps.pages({ namespace: own, limit: 3, labelSelector: 'odd' }))
      sizes.push(page.items.length);
    expect(sizes).toEqual([3, 3, 1]);
    const { metadata } = await maps.list({ namespace: own, limit: 1 });
    const atVersion = { resourceVersion: metadata.resourceVersion, resourceVersionMatch: 'Exact' } as const;
    let listed = 0;
    for await (const page of maps.pages({ namespace: own, limit: 3, ...atVersion })) listed += page.items.length;
    expect(listed).toBeGreaterThanOrEqual(7);
    const odd = await maps.list({ namespace: own, labelSelector: 'odd=1' });
    expect(odd.items.map(({ metadata }) => metadata.name)).toEqual(['map-1', 'map-3', 'map-5']);
    expect(odd.items[0]).toMatchObject({ apiVersion: 'v1', kind: 'ConfigMap' });
    const named = await maps.list({ namespace: own, fieldSelector: 'metadata.name=map-4', metadataOnly: true });
    expect(named.items).toMatchObject([{ kind: 'ConfigMap', metadata: { name: 'map-4' } }]);
    expect(named.items[0]).not.toHaveProperty('data');
    await maps.deleteCollection({ namespace: own, labelSelector: 'odd=0' });
    await eventually(async () => (await maps.list({ namespace: own, labelSelector: 'odd' })).items.length === 3);
  });

  it('writes status and other subresources', async () => {
    const accounts = client.resource(ServiceAccounts);
    await accounts.create({ apiVersion: 'v1', kind: 'ServiceAccount', metadata: { namespace, name: 'robot' } });
    const request: UnknownObject = {
      apiVersion: 'authentication.k8s.io/v1',
      kind: 'TokenRequest',
      metadata: { namespace, name: 'robot' },
      spec: { expirationSeconds: 600 },
    };
    const token = await accounts.create(request, { subresource: 'token' });
    expect(token).toMatchObject({ status: { token: expect.stringContaining('.') } });
  });

  it('leaves everything as it was under dry run', async () => {
    await client.resource(ConfigMaps).create(configMap(namespace, 'dry'), { dryRun: true });
    expect(await client.resource(ConfigMaps).find({ namespace, name: 'dry' })).toBeUndefined();
  });

  it('reports what the server rejects, field by field', async () => {
    const wrong = { ...configMap(namespace, 'wrong'), data: { 'not a key': 'x' } };
    await expect(client.resource(ConfigMaps).create(wrong)).rejects.toMatchObject({
      code: 'KUBE_INVALID',
      status: 422,
      body: { details: { causes: [{ field: 'data[not a key]' }] } },
    });
  });

  it('discovers what is served, in one request per root', async () => {
    const discovery = createDiscovery(client.transport);
    const crd = await discovery.forKind('apiextensions.k8s.io/v1', 'CustomResourceDefinition');
    expect(crd).toMatchObject({ plural: 'customresourcedefinitions', namespaced: false, subresources: ['status'] });
    expect(await discovery.forResource('', 'secrets')).toMatchObject({
      version: 'v1',
      kind: 'Secret',
      namespaced: true,
    });
    await expect(discovery.forKind('example.org/v1', 'Unicorn')).rejects.toMatchObject({ code: 'KUBE_NOT_FOUND' });
  });

  describe('with credentials that do not suffice', () => {
    const ask = async (kubeconfig: string) => {
      const other = clientOf(kubeconfig);
      try {
        await other.resource(Secrets).get({ namespace, name: 'db' });
      } finally {
        await other.close();
      }
    };

    it('says who lacks which permission', async () => {
      const user = await plane.certificateUser({ name: 'nobody' });
      await expect(ask(user.kubeconfig)).rejects.toMatchObject({
        code: 'KUBE_FORBIDDEN',
        status: 403,
        message: expect.stringContaining('"nobody"'),
      });
    });

    it('says that a token is not accepted', async () => {
      const config = parseKubeconfig(plane.admin.kubeconfig, { source: 'the test', trust: 'local' });
      const other = connect({ ...config, auth: { kind: 'token', token: 'wrong' } }, { userAgent: 'test' });
      await expect(other.resource(Secrets).list()).rejects.toMatchObject({ code: 'KUBE_UNAUTHORIZED', status: 401 });
      await other.close();
    });

    it('says that a client certificate has expired', async () => {
      const user = await plane.certificateUser({ name: 'late', notAfter: new Date(Date.now() - 60_000) });
      await expect(ask(user.kubeconfig)).rejects.toMatchObject({
        code: 'KUBE_TLS_EXPIRED',
        message: expect.stringContaining('client certificate'),
      });
    });

    it('says that a client certificate of another CA is not accepted', async () => {
      const user = await plane.certificateUser({
        name: 'admin',
        groups: ['system:masters'],
        authority: await createAuthority('other'),
      });
      await expect(ask(user.kubeconfig)).rejects.toMatchObject({ code: 'KUBE_UNAUTHORIZED' });
    });
  });

  it('acts as somebody else when told to', async () => {
    const config = parseKubeconfig(plane.admin.kubeconfig, { source: 'the test', trust: 'local' });
    const other = connect(
      { ...config, impersonate: { user: 'jane', groups: ['developers'], extra: { 'example.org/team': ['a'] } } },
      { userAgent: 'test' },
    );
    const reviews: ResourceType = {
      group: 'authentication.k8s.io',
      version: 'v1',
      plural: 'selfsubjectreviews',
      kind: 'SelfSubjectReview',
      namespaced: false,
    };
    const review = await other
      .resource(reviews)
      .create({ apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview', metadata: {} });
    expect(review).toMatchObject({
      status: {
        userInfo: {
          username: 'jane',
          groups: expect.arrayContaining(['developers']),
          extra: { 'example.org/team': ['a'] },
        },
      },
    });
    await other.close();
  });

  it('watches from a version on', async () => {
    const maps = client.resource(ConfigMaps);
    const { metadata } = await maps.list({ namespace });
    await maps.create(configMap(namespace, 'watched', { a: '1' }));
    const seen: string[] = [];
    for await (const event of maps.watch({
      namespace,
      resourceVersion: metadata.resourceVersion,
      allowBookmarks: true,
    })) {
      if (event.type === 'BOOKMARK') continue;
      seen.push(`${event.type} ${event.object.metadata.name}`);
      if (event.type === 'ADDED')
        await maps.patch({ namespace, name: 'watched' }, { type: 'merge', patch: { data: { a: '2' } } });
      if (event.type === 'MODIFIED') await maps.delete({ namespace, name: 'watched' });
      if (event.type === 'DELETED') break;
    }
    expect(seen).toEqual(['ADDED watched', 'MODIFIED watched', 'DELETED watched']);
  });

  it('waits for a namespace to be gone', async () => {
    const doomed = await createNamespace(plane, 'doomed');
    await client.resource(Namespaces).delete({ name: doomed });
    await eventually(async () => (await client.resource(Namespaces).find({ name: doomed })) === undefined);
  });
});
