import { annotations, APIServiceExports, ClusterBindings, isKlutchError, kubeconfigKey, labels } from '@klutch/api';
import {
  isKubeError,
  type Interceptor,
  KubeError,
  type Namespace,
  Namespaces,
  parseKubeconfig,
  Secrets,
} from '@klutch/kube';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { RoleBindings } from '../../packages/backend/src/objects/rbac.ts';
import { ServiceAccounts } from '../../packages/backend/src/objects/service-account.ts';
import { clusterNamespaceName } from '../../packages/backend/src/tenants/cluster-namespace.ts';
import {
  onOwnPlane,
  openBackend,
  isRefused,
  person,
  publish,
  readKubeconfig,
  sampleApi,
  soon,
  team,
  type TestBackend,
  type TestCluster,
  tokenOf,
  unique,
  useAs,
} from './tenants-world.ts';

vi.setConfig({ testTimeout: 240_000 });

onOwnPlane('tenants', (plane) => {
  let backend: TestBackend;
  let a: { id: string };
  beforeEach(async () => {
    a = { id: unique('Cluster') };
    backend = await openBackend(plane());
  });
  afterEach(() => backend.close());

  const namespaceOfCluster = (id: string) => clusterNamespaceName('cluster', id);
  const stored = (name: string) => plane().admin.resource(Namespaces).get({ name });

  it('BE-22 gives an app cluster all it needs to connect, at the first bind', async () => {
    const { namespace, kubeconfig } = await backend.tenants.provision(
      { ...a, uid: 'uid-1' },
      team('red'),
      person('ann'),
    );

    const { admin } = plane();
    const { metadata } = await stored(namespace);
    expect(metadata.annotations).toMatchObject({
      [annotations.tenantIdentity]: '["group","https://issuer.example","red"]',
      [annotations.tenantName]: 'red',
      [annotations.appClusterId]: a.id,
      [annotations.appClusterUid]: 'uid-1',
      [annotations.identity]: `ann#${a.id}`,
      [annotations.boundBy]: 'https://issuer.example/ann',
    });
    const account = { namespace, name: 'klutch-binder' };
    expect(await admin.resource(ServiceAccounts).get(account)).toBeDefined();
    expect((await admin.resource(RoleBindings).get(account)).roleRef.name).toBe('klutch-binder');
    expect((await admin.resource(ClusterBindings).get({ namespace, name: 'cluster' })).spec).toEqual({
      kubeconfigSecretRef: { name: 'kubeconfig', key: 'kubeconfig' },
      providerPrettyName: 'Test provider',
    });
    const secret = await admin.resource(Secrets).get({ namespace, name: 'kubeconfig' });
    expect(Buffer.from(secret.data?.[kubeconfigKey] ?? '', 'base64').toString()).toBe(kubeconfig);
    const config = parseKubeconfig(kubeconfig, { source: 'the test', trust: 'foreign' });
    expect(config).toMatchObject({ server: plane().url, namespace });
    expect(kubeconfig).toMatch(/current-context: default\n/);
    await useAs(kubeconfig, async (client) => {
      expect((await client.resource(Secrets).list({ namespace })).items.map(({ metadata }) => metadata.name)).toContain(
        'kubeconfig',
      );
    });
  });

  it('BE-23 uses the same namespace, address and credential at the second bind', async () => {
    const first = await backend.tenants.provision(a, team('red'), person('ann'));
    const before = backend.writes.length;
    const second = await backend.tenants.provision(a, team('red'), person('ann'));

    expect(second).toEqual(first);
    expect(backend.writes.slice(before)).toEqual([]);
  });

  it('BE-24 S-4 registers a cluster once, however many bind it at the same moment', async () => {
    const other = await openBackend(plane());
    const all = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        (index % 2 === 0 ? backend : other).tenants.provision(a, team('red'), person('ann')),
      ),
    );
    await other.close();

    const ofCluster = (await plane().admin.resource(Namespaces).list()).items.filter(
      ({ metadata }) => metadata.annotations?.[annotations.appClusterId] === a.id,
    );
    expect(ofCluster.map(({ metadata }) => metadata.name)).toEqual([namespaceOfCluster(a.id)]);
    expect(new Set(all.map(({ namespace }) => namespace)).size).toBe(1);
    const offered = await readKubeconfig(plane(), namespaceOfCluster(a.id));
    expect(new Set(all.map(({ kubeconfig }) => kubeconfig))).toEqual(new Set([offered]));
    await useAs(offered, async (client) => {
      expect(await client.resource(Secrets).list({ namespace: namespaceOfCluster(a.id) })).toBeDefined();
    });
  });

  it('BE-31 S-4 brings all of a team to the same namespace', async () => {
    const first = await backend.tenants.provision(a, team('red'), person('ann'));
    const second = await backend.tenants.provision(a, team('red'), person('bob'));

    expect(second.namespace).toBe(first.namespace);
    expect((await stored(first.namespace)).metadata.annotations).toMatchObject({
      [annotations.identity]: `ann#${a.id}`,
      [annotations.boundBy]: 'https://issuer.example/bob',
    });
    expect(await backend.tenants.ownerOf(a, [team('blue'), team('red')], person('bob'))).toEqual(team('red'));
  });

  it('BE-32 S-4 refuses a cluster that belongs to another tenant, and touches nothing', async () => {
    const { namespace } = await backend.tenants.provision({ ...a, uid: 'uid-1' }, team('red'), person('ann'));
    const before = await stored(namespace);
    const count = backend.writes.length;

    const taken = { code: 'KLUTCH_CLUSTER_IDENTITY_TAKEN' };
    await expect(backend.tenants.provision(a, team('blue'), person('eve'))).rejects.toMatchObject(taken);
    await expect(backend.tenants.ownerOf(a, [team('blue')], person('eve'))).rejects.toMatchObject(taken);
    const impostor = { ...a, uid: 'uid-2' };
    await expect(backend.tenants.provision(impostor, team('red'), person('ann'))).rejects.toMatchObject(taken);
    expect(await stored(namespace)).toEqual(before);
    expect(backend.writes.slice(count)).toEqual([]);
  });

  it('records the UID of a cluster that was bound without, and nobody knows a cluster that was never bound', async () => {
    expect(await backend.tenants.ownerOf(a, [team('red')], person('ann'))).toBeUndefined();
    const { namespace } = await backend.tenants.provision(a, team('red'), person('ann'));
    await backend.tenants.provision({ ...a, uid: 'uid-1' }, team('red'), person('ann'));

    expect((await stored(namespace)).metadata.annotations?.[annotations.appClusterUid]).toBe('uid-1');
  });

  it('refuses a namespace of that name that was not made for the cluster', async () => {
    const name = namespaceOfCluster(a.id);
    await plane().admin.resource(Namespaces).create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } });

    const error = await backend.tenants.provision(a, team('red'), person('ann')).catch((caught: unknown) => caught);
    expect(isKlutchError(error, 'KLUTCH_NAMESPACE_FOREIGN')).toBe(true);
    expect(backend.writes).toEqual([]);
  });

  it('S-18 adopts what a Go backend made for the same person, and no look-alike', async () => {
    const made = await goNamespace(plane(), `ann#${a.id}`);
    const b = { id: unique('other') };
    const ambiguous = await goNamespace(plane(), `x#y#${b.id}`);
    await soon(() => backend.tenants.ownerOf(a, [team('red')], person('ann')).then((owner) => owner === undefined));

    const eve = await backend.tenants.provision(b, team('blue'), person('x#y'));
    const { namespace } = await backend.tenants.provision(a, team('red'), person('ann'));

    expect(namespace).toBe(made);
    expect((await stored(made)).metadata).toMatchObject({
      annotations: { [annotations.tenantIdentity]: team('red').identity, [annotations.identity]: `ann#${a.id}` },
      labels: { [labels.tenant]: expect.any(String), [labels.appCluster]: expect.any(String) },
    });
    expect(eve.namespace).not.toBe(ambiguous);
    expect((await stored(eve.namespace)).metadata.annotations?.[annotations.identity]).toBeUndefined();
    await expect(backend.tenants.provision(a, team('blue'), person('eve'))).rejects.toMatchObject({
      code: 'KLUTCH_CLUSTER_IDENTITY_TAKEN',
    });
    expect((await backend.tenants.provision(a, team('red'), person('bob'))).namespace).toBe(made);
  });

  it('S-12 lets a tenant have so many app clusters and no more, also when they come at once', async () => {
    const limited = await openBackend(plane(), { clustersPerTenant: 2 });
    const tenant = team(unique('small'));
    const ids = Array.from({ length: 6 }, () => unique('c'));
    const outcomes = await Promise.allSettled(
      ids.map((id) => limited.tenants.provision({ id }, tenant, person('ann'))),
    );

    const refusals = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason as unknown] : []));
    // The first ones have their place, in whatever order they arrive: nobody has to try again.
    expect(outcomes.length - refusals.length).toBe(2);
    for (const reason of refusals) expect(isKlutchError(reason, 'KLUTCH_QUOTA_EXCEEDED')).toBe(true);
    const living = () => ofTenant(plane(), tenant.identity);
    expect((await living()).length).toBe(2);

    const kept = await living();
    const again = kept[0]?.metadata.annotations?.[annotations.appClusterId] ?? '';
    await limited.tenants.provision({ id: again }, tenant, person('ann'));
    const before = limited.writes.length;
    await expect(limited.tenants.provision({ id: unique('more') }, tenant, person('ann'))).rejects.toMatchObject({
      code: 'KLUTCH_QUOTA_EXCEEDED',
    });
    expect(limited.writes.slice(before)).toEqual([]);
    await limited.close();
  });

  it('completes what an earlier attempt left, wherever that ended', async () => {
    let ended = false;
    for (let limit = 0; !ended; limit += 1) {
      const cluster = { id: unique('cut') };
      const dying = await openBackend(plane(), { interceptors: [dyingAfter(limit)] });
      const outcome = await dying.tenants
        .provision(cluster, team('red'), person('ann'))
        .catch((error: unknown) => error);
      await dying.close();
      ended = !(outcome instanceof Error);
      const { namespace, kubeconfig } = await backend.tenants.provision(cluster, team('red'), person('ann'));

      expect(namespace).toBe(namespaceOfCluster(cluster.id));
      expect(await readKubeconfig(plane(), namespace)).toBe(kubeconfig);
      await useAs(kubeconfig, async (client) => {
        expect((await client.resource(ClusterBindings).get({ namespace, name: 'cluster' })).kind).toBe(
          'ClusterBinding',
        );
      });
      expect(limit).toBeLessThan(20);
    }
  });

  it('knows the namespace of a live credential, and of nothing else', async () => {
    const { namespace, kubeconfig } = await backend.tenants.provision(a, team('red'), person('ann'));
    const token = tokenOf(kubeconfig);
    expect(await backend.tenants.namespaceOf(token)).toBe(namespace);
    expect(await backend.tenants.tenantNameOf(namespace)).toBe('red');

    const invalid = { code: 'KLUTCH_TOKEN_INVALID' };
    for (const other of ['', 'nonsense', `${token}x`, await accountToken(plane(), 'default', 'klutch-binder')]) {
      await expect(backend.tenants.namespaceOf(other)).rejects.toMatchObject(invalid);
    }
    await expect(backend.tenants.namespaceOf(await accountToken(plane(), namespace, 'stranger'))).rejects.toMatchObject(
      invalid,
    );
  });

  it('S-9 rotates a credential, and ends the ones before it on request', async () => {
    const first = await backend.tenants.provision(a, team('red'), person('ann'));
    const second = await backend.tenants.rotate(first.namespace);

    expect(second.kubeconfig).not.toBe(first.kubeconfig);
    expect(await readKubeconfig(plane(), first.namespace)).toBe(second.kubeconfig);
    expect(await backend.tenants.namespaceOf(tokenOf(first.kubeconfig))).toBe(first.namespace);
    await expect(backend.tenants.retireOthers(first.namespace, 'nonsense')).rejects.toMatchObject({
      code: 'KLUTCH_TOKEN_INVALID',
    });
    await backend.tenants.retireOthers(first.namespace, tokenOf(second.kubeconfig));

    await soon(() => isRefused(first.kubeconfig, first.namespace));
    expect(await backend.tenants.namespaceOf(tokenOf(second.kubeconfig))).toBe(first.namespace);
    expect(await backend.tenants.provision(a, team('red'), person('ann'))).toEqual(second);
  });

  it('withdraws exports, and ignores those that are not there', async () => {
    const { namespace } = await backend.tenants.provision(a, team('red'), person('ann'));
    const [kept, gone] = [sampleApi(), sampleApi()];
    for (const api of [kept, gone]) await publish(plane(), namespace, api);

    const apis = [gone, sampleApi()].map(({ type }) => ({ group: type.group, resource: type.plural }));
    await backend.tenants.withdraw(namespace, apis);

    const left = await plane().admin.resource(APIServiceExports).list({ namespace });
    expect(left.items.map(({ metadata }) => metadata.name)).toEqual([kept.name]);
  });

  it.each([{ id: '' }, { id: 'a/b' }, { id: 'a#b' }, { id: 'x'.repeat(65) }, { id: 'a', uid: 'b c' }])(
    'refuses to hear of %j',
    async (cluster) => {
      await expect(backend.tenants.provision(cluster, team('red'), person('ann'))).rejects.toMatchObject({
        code: 'KLUTCH_REQUEST_INVALID',
      });
      expect(backend.writes).toEqual([]);
    },
  );
});

/** Lets so many writes pass and then nothing more, as if the process had been killed. */
function dyingAfter(writes: number): Interceptor {
  let left = writes;
  return (next) => (request) => {
    if (request.method === 'GET' && left >= 0) return next(request);
    left -= 1;
    if (left >= 0) return next(request);
    return Promise.reject(new KubeError('KUBE_ABORTED', 'killed'));
  };
}

async function ofTenant({ admin }: TestCluster, identity: string): Promise<readonly Namespace[]> {
  const { items } = await admin.resource(Namespaces).list();
  return items.filter(
    ({ metadata }) =>
      metadata.annotations?.[annotations.tenantIdentity] === identity && metadata.deletionTimestamp === undefined,
  );
}

/** A namespace as the Go backend registers an app cluster. */
async function goNamespace({ admin }: TestCluster, identity: string): Promise<string> {
  const metadata = { generateName: 'cluster-', annotations: { [annotations.identity]: identity } };
  const made = await admin.resource(Namespaces).create({ apiVersion: 'v1', kind: 'Namespace', metadata });
  return made.metadata.name ?? '';
}

async function accountToken({ admin }: TestCluster, namespace: string, name: string): Promise<string> {
  const accounts = admin.resource(ServiceAccounts);
  await accounts.create({ apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name, namespace } }).catch((error) => {
    if (!isKubeError(error, 'KUBE_ALREADY_EXISTS')) throw error;
  });
  const answer = await accounts.create(
    { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', metadata: { name, namespace }, spec: {} },
    { subresource: 'token' },
  );
  return (answer['status'] as { readonly token: string }).token;
}
