import {
  annotations,
  type APIServiceNamespace,
  apiVersion,
  binderRoleName,
  controlPlane as names,
  distinctName,
  goServiceNamespaceName,
  labels,
} from '@klutch/api';
import { ConfigMaps, type Interceptor } from '@klutch/kube';
import { createManualClock } from '@klutch/kube/testing';
import { expect, it } from 'vitest';
import { ClusterRoleBindings } from '../../packages/backend/src/objects/rbac.ts';
import {
  onOwnPlane,
  provide,
  type Registered,
  register,
  request,
  type RunningBackend,
  sampleApi,
  soon,
  startBackend,
  unique,
} from './exports-world.ts';
import { readyOf, ref, sceneOn } from './service-namespaces-scene.ts';

onOwnPlane('service namespaces', (plane) => {
  const scene = () => sceneOn(plane());

  it('BE-38 S-3 have different names for pairs that a Go backend would confuse, and each is let into its own only', async () => {
    await startBackend(plane());
    const stem = unique('a');
    const [one, other] = [await register(plane(), 't', `${stem}-b`), await register(plane(), 'u', stem)];
    expect(goServiceNamespaceName(one.name, 'c')).toBe(goServiceNamespaceName(other.name, 'b-c'));

    await scene().want(one, 'c');
    await scene().want(other, 'b-c');

    const [first, second] = [await scene().servedBy(one, 'c'), await scene().servedBy(other, 'b-c')];
    expect(first).not.toBe(second);
    for (const [cluster, namespace, name] of [
      [one, first, 'c'],
      [other, second, 'b-c'],
    ] as const) {
      const { metadata } = await scene().namespaces.get({ name: namespace });
      expect(metadata.annotations).toMatchObject({
        [annotations.apiServiceNamespace]: `${cluster.name}/${name}`,
        [annotations.tenant]: `${cluster.name}/${cluster.namespace.metadata.uid}`,
      });
      expect(metadata.labels).toMatchObject({ [labels.clusterNamespace]: cluster.name });
      const binding = await scene().roleBindings.get({ namespace, name: names.binder });
      expect(binding.subjects).toMatchObject([{ name: names.binder, namespace: cluster.name }]);
      expect(binding.roleRef).toMatchObject({ kind: 'Role', name: names.binder });
    }
  });

  it('S-3 are those that a Go backend made for exactly this, as they are', async () => {
    const cluster = await register(plane());
    const name = goServiceNamespaceName(cluster.name, 'team');
    await scene().makeNamespace(name, { [annotations.apiServiceNamespace]: `${cluster.name}/team` });
    await startBackend(plane());

    await scene().want(cluster, 'team');

    expect(await scene().servedBy(cluster, 'team')).toBe(name);
    const found = await scene().namespaces.get({ name });
    expect(found.metadata.labels).toMatchObject({ [labels.clusterNamespace]: cluster.name });
    expect(await scene().namespaces.find({ name: distinctName(cluster.name, 'team') })).toBeUndefined();
  });

  it('S-3 are never those that have the name of a Go backend but were made for another', async () => {
    const cluster = await register(plane());
    const name = goServiceNamespaceName(cluster.name, 'team');
    await scene().makeNamespace(name, { [annotations.apiServiceNamespace]: `${cluster.name}-team/prod` });
    await startBackend(plane());

    await scene().want(cluster, 'team');

    expect(await scene().servedBy(cluster, 'team')).toBe(distinctName(cluster.name, 'team'));
    expect(await scene().roleBindings.find({ namespace: name, name: names.binder })).toBeUndefined();
  });

  it('BE-36 BE-37 S-3 are never foreign ones: neither bound nor adopted, and not deleted with the object', async () => {
    await startBackend(plane());
    const cluster = await register(plane());
    const name = distinctName(cluster.name, 'team');
    await scene().makeNamespace(name);
    const content = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'content', namespace: name } };
    await plane().admin.resource(ConfigMaps).create(content);

    await scene().want(cluster, 'team');

    const ready = await scene().condition(cluster, 'team', 'NamespaceForeign');
    expect(ready.message).toContain(`Namespace ${name} of the control plane was not made for this app namespace`);
    expect((await scene().mappings.get(ref(cluster, 'team'))).status?.namespace).toBeUndefined();
    expect(await scene().roleBindings.find({ namespace: name, name: names.binder })).toBeUndefined();
    expect((await scene().namespaces.get({ name })).metadata.annotations ?? {}).not.toHaveProperty(
      annotations.apiServiceNamespace,
    );

    await scene().giveUp(cluster, 'team');

    await scene().isGone(cluster, 'team');
    expect((await scene().namespaces.get({ name })).metadata.deletionTimestamp).toBeUndefined();
    expect(await plane().admin.resource(ConfigMaps).find({ namespace: name, name: 'content' })).toBeDefined();
  });

  it('BE-36 are served as soon as a foreign one is out of the way', async () => {
    await startBackend(plane());
    const cluster = await register(plane());
    const name = distinctName(cluster.name, 'team');
    await scene().makeNamespace(name);
    await scene().want(cluster, 'team');
    await scene().condition(cluster, 'team', 'NamespaceForeign');

    await scene().namespaces.delete({ name });

    expect(await scene().servedBy(cluster, 'team')).toBe(name);
  });

  it('S-4 are not those of an app cluster that was registered under the same name before', async () => {
    await startBackend(plane());
    const cluster = await register(plane());
    const name = distinctName(cluster.name, 'team');
    await scene().makeNamespace(name, {
      [annotations.apiServiceNamespace]: `${cluster.name}/team`,
      [annotations.tenant]: `${cluster.name}/another-uid`,
    });

    await scene().want(cluster, 'team');

    const ready = await scene().condition(cluster, 'team', 'NamespaceForeign');
    expect(ready.message).toContain('an earlier registration of this app cluster');
    await scene().namespaces.patch(
      { name },
      { type: 'merge', patch: { metadata: { annotations: { [annotations.tenant]: null } } } },
    );
    expect(await scene().servedBy(cluster, 'team')).toBe(name);
  });

  it('S-21 are computed: a status that names another one opens nothing', async () => {
    const [cluster, victim] = [await register(plane()), unique('victim')];
    await scene().makeNamespace(victim);
    await scene().want(cluster, 'team');
    await scene().mappings.patch(
      ref(cluster, 'team'),
      { type: 'merge', patch: { status: { namespace: victim } } },
      { subresource: 'status' },
    );

    await startBackend(plane());

    await soon(
      async () =>
        (await scene().mappings.get(ref(cluster, 'team'))).status?.namespace === distinctName(cluster.name, 'team'),
    );
    expect(await scene().roleBindings.find({ namespace: victim, name: names.binder })).toBeUndefined();
    expect((await scene().namespaces.get({ name: victim })).metadata.annotations ?? {}).not.toHaveProperty(
      annotations.apiServiceNamespace,
    );
  });

  it('S-12 are as many as the quota allows, however many are asked for at once, and the next when one is free', async () => {
    const clock = createManualClock(new Date());
    await startBackend(plane(), { namespacesPerCluster: 3, clock });
    const cluster = await register(plane());
    const asked = ['n1', 'n2', 'n3', 'n4', 'n5', 'n6'];

    await Promise.all(asked.map((name) => scene().want(cluster, name)));

    const answers = await soon(async () => {
      await clock.advance(100);
      const all = await Promise.all(asked.map((name) => scene().mappings.get(ref(cluster, name))));
      return all.every(({ status }) => status?.conditions) && all;
    });
    const isServed = ({ status }: APIServiceNamespace) => status?.namespace !== undefined;
    expect(answers.filter(isServed)).toHaveLength(3);
    const refused = answers.filter((answer) => !isServed(answer));
    for (const { status } of refused) expect(readyOf(status)?.reason).toBe('QuotaExceeded');
    expect(await scene().ownNamespaces(cluster)).toHaveLength(3);

    const given = answers.find(isServed)?.metadata.name ?? '';
    await scene().giveUp(cluster, given);
    await soon(async () => {
      await clock.advance(5_000);
      const all = await Promise.all(
        refused.map(({ metadata }) => scene().mappings.get(ref(cluster, metadata.name ?? ''))),
      );
      return all.filter(isServed).length === 1;
    });
    expect(await scene().ownNamespaces(cluster)).toHaveLength(3);
  });

  it('S-1 give rights in all namespaces only where consumers see the cluster, and then no RoleBinding is needed', async () => {
    const backend = await startBackend(plane(), { consumerScope: 'Cluster' });
    const cluster = await register(plane());

    await scene().want(cluster, 'team');

    const name = await scene().servedBy(cluster, 'team');
    expect(await scene().roleBindings.find({ namespace: name, name: names.binder })).toBeUndefined();
    const isForTenant = ({ path, body }: { readonly path: string; readonly body?: string }) =>
      path.includes('/roles') || (path.includes('/rolebindings') && !body?.includes(names.backend));
    expect(backend.writes.filter(isForTenant)).toEqual([]);
    expect(
      await plane()
        .admin.resource(ClusterRoleBindings)
        .find({ name: binderRoleName(cluster.name) }),
    ).toBe(undefined);
  });

  it('BE-36 get their RoleBinding back when somebody takes it away or bends it', async () => {
    await startBackend(plane());
    const cluster = await register(plane());
    await scene().want(cluster, 'team');
    const namespace = await scene().servedBy(cluster, 'team');
    const where = { namespace, name: names.binder };

    await scene().roleBindings.delete(where);
    await soon(() => scene().roleBindings.find(where));

    await scene().roleBindings.patch(where, { type: 'merge', patch: { subjects: [] } });
    await soon(async () => (await scene().roleBindings.get(where)).subjects?.[0]?.namespace === cluster.name);
  });

  it('give the app cluster what its exports say, from the first moment on and when these change', async () => {
    const [api, other] = [sampleApi(), sampleApi()];
    await startBackend(plane(), { apis: [api, other] });
    const cluster = await register(plane());
    await provide(plane(), api);
    await request(cluster, api);
    await soon(() => scene().exports.find({ namespace: cluster.name, name: api.name }));

    await scene().want(cluster, 'team');

    const namespace = await scene().servedBy(cluster, 'team');
    const groups = async () =>
      (await scene().roles.get({ namespace, name: names.binder })).rules?.map(({ apiGroups }) => apiGroups[0]);
    await soon(async () => (await groups())?.join() === api.type.group);
    await provide(plane(), other);
    await request(cluster, other);
    await soon(async () => (await groups())?.length === 2);
    await scene().exports.delete({ namespace: cluster.name, name: other.name });
    await soon(async () => (await groups())?.join() === api.type.group);
    const wide = [{ apiGroups: ['*'], resources: ['*'], verbs: ['*'] }];
    await scene().roles.patch({ namespace, name: names.binder }, { type: 'merge', patch: { rules: wide } });
    await soon(async () => (await groups())?.join() === api.type.group);
  });

  it('are made for app clusters of this backend only: nobody else gets namespaces by asking', async () => {
    await startBackend(plane());
    const [own, stranger] = [await register(plane()), unique('stranger')];
    await scene().makeNamespace(stranger);
    const asked = { name: 'team', namespace: stranger };
    await scene().mappings.create({ apiVersion, kind: 'APIServiceNamespace', metadata: asked });

    await scene().want(own, 'team');
    await scene().servedBy(own, 'team');

    expect((await scene().mappings.get(asked)).status).toBeUndefined();
    expect(await scene().namespaces.find({ name: distinctName(stranger, 'team') })).toBeUndefined();
  });

  it('BE-36 cause no write once they are served, however often they are looked at', async () => {
    const reads = countReads();
    const [backend, cluster] = [
      await startBackend(plane(), { interceptors: [reads.interceptor] }),
      await register(plane()),
    ];
    await scene().want(cluster, 'team');
    await scene().want(cluster, 'other');
    await scene().servedBy(cluster, 'team');
    await scene().servedBy(cluster, 'other');
    await rest(backend, cluster, 'settled');
    const [before, readBefore] = [about(backend, cluster).length, reads.count()];

    for (let look = 0; look < 5; look += 1) {
      for (const name of ['team', 'other']) backend.namespaces.enqueue(`${cluster.name}/${name}`);
      await rest(backend, cluster, `look-${look}`);
    }

    const written = about(backend, cluster).slice(before);
    expect(written.filter(({ path }) => /\/(team|other)\b/.test(path))).toEqual([]);
    expect(reads.count() - readBefore).toBeLessThanOrEqual(5 * readsOfOne);
  });

  /** Until a further one has been served completely: what was looked at before it is done by then. */
  async function rest(backend: RunningBackend, cluster: Registered, name: string): Promise<void> {
    await scene().want(cluster, name);
    await scene().servedBy(cluster, name);
    backend.namespaces.enqueue(`${cluster.name}/${name}`);
  }
});

function about(backend: RunningBackend, cluster: Registered) {
  return backend.writes.filter(({ path }) => path.includes(`/${cluster.name}/`) || path.includes(`${cluster.name}-`));
}

/** Single requests that read; lists and watches of the caches apart. */
function countReads(): { readonly interceptor: Interceptor; count(): number } {
  let reads = 0;
  return {
    interceptor: (next) => (request) => {
      if (request.about.verb === 'get') reads += 1;
      return next(request);
    },
    count: () => reads,
  };
}

/** A service namespace that is made costs no more: one look for its RoleBinding, and one when a cache is behind. */
const readsOfOne = 3;
