import {
  APIServiceExportRequests,
  APIServiceExports,
  APIServiceNamespaces,
  annotations,
  apiVersion,
  ConditionType,
  findCondition,
  type PermissionClaim,
  sourceSpecHash,
} from '@klutch/api';
import { createFaults, createManualClock, eventually } from '@klutch/kube/testing';
import { expect, it } from 'vitest';
import {
  offer,
  onOwnPlane,
  provide,
  type Registered,
  register,
  request,
  sampleApi,
  soon,
  startBackend,
  type TestCluster,
  unique,
} from './exports-world.ts';
import { installCrd } from '../konnector/world.ts';

onOwnPlane('requests for exports', (plane) => {
  it('BE-43 an API with a template is exported with the claims of the template, whatever the request claims', async () => {
    await startBackend(plane());
    const [cluster, api] = [await register(plane()), sampleApi()];
    await provide(plane(), api, { claims: [providerSecrets] });

    await cluster.binder.resource(APIServiceExportRequests).create({
      apiVersion,
      kind: 'APIServiceExportRequest',
      metadata: { name: api.name, namespace: cluster.name },
      spec: {
        resources: [
          {
            group: api.type.group,
            resource: api.type.plural,
            permissionClaims: [{ group: '', resource: 'configmaps', version: 'v1' }],
          },
        ],
      },
    });

    expect(await phaseOf(plane(), cluster, api.name)).toBe('Succeeded');
    const exported = await plane().admin.resource(APIServiceExports).get({ namespace: cluster.name, name: api.name });
    expect(exported.spec).toMatchObject({ ...api.exported, informerScope: 'Namespaced' });
    expect(exported.spec.permissionClaims?.map(({ resource }) => resource)).toEqual(['secrets']);
    expect(exported.metadata.annotations?.[annotations.sourceSpecHash]).toBe(sourceSpecHash(api.exported));
    const answered = await statusOf(plane(), cluster, api.name);
    expect(findCondition(answered?.conditions, ConditionType.Ready)?.status).toBe('True');
  });

  it('BE-44 a request for an API whose CRD is missing says so, and fails after a minute without anything happening', async () => {
    const clock = createManualClock(new Date());
    await startBackend(plane(), { clock });
    const [cluster, api] = [await register(plane()), sampleApi()];
    await offer(plane(), api);

    await request(cluster, api);

    const waiting = await soon(async () => {
      const status = await statusOf(plane(), cluster, api.name);
      return findCondition(status?.conditions, ConditionType.ExportsReady)?.reason === 'CRDNotFound' && status;
    });
    expect(waiting.phase).toBe('Pending');
    await clock.advance(30_000);
    expect((await statusOf(plane(), cluster, api.name))?.phase).toBe('Pending');
    // Nothing but time passes, in steps of ten seconds.
    const failed = await eventually(
      async () => {
        await clock.advance(10_000);
        const status = await statusOf(plane(), cluster, api.name);
        return status?.phase === 'Failed' && status;
      },
      { withinMs: 60_000, everyMs: 100 },
    );
    expect(failed.terminalMessage).toContain(`CustomResourceDefinition ${api.name} does not exist`);
  });

  it('BE-44 a request whose CRD comes in time succeeds as soon as it is there', async () => {
    const clock = createManualClock(new Date());
    await startBackend(plane(), { clock });
    const [cluster, api] = [await register(plane()), sampleApi()];
    await offer(plane(), api);
    await request(cluster, api);
    await soon(async () => (await statusOf(plane(), cluster, api.name))?.conditions?.length);

    await installCrd(plane().admin, api.crd);

    await eventually(
      async () => {
        // For conflicts with the caches; far less than the minute of patience.
        await clock.advance(10);
        return (await statusOf(plane(), cluster, api.name))?.phase === 'Succeeded';
      },
      { withinMs: 60_000, everyMs: 50 },
    );
  });

  it('BE-45 a request for an API without template fails and says that it is not exported', async () => {
    await startBackend(plane());
    const [cluster, api] = [await register(plane()), sampleApi()];
    await installCrd(plane().admin, api.crd);

    await request(cluster, api);

    expect(await phaseOf(plane(), cluster, api.name)).toBe('Failed');
    const status = await statusOf(plane(), cluster, api.name);
    expect(status?.terminalMessage).toContain('is not exported by this control plane');
    expect(findCondition(status?.conditions, ConditionType.Ready)?.reason).toBe('NotExported');
  });

  it('S-15 refuses an API with permission claims where app clusters see all namespaces, and exports nothing', async () => {
    const api = sampleApi();
    await startBackend(plane(), { consumerScope: 'Cluster', apis: [api] });
    const cluster = await register(plane());
    await provide(plane(), api, { claims: [{ resource: 'secrets', version: 'v1' }] });

    await request(cluster, api);

    const { status } = await soon(async () => {
      const found = await plane()
        .admin.resource(APIServiceExportRequests)
        .get({ namespace: cluster.name, name: api.name });
      return found.status?.phase === 'Failed' && found;
    });
    expect(status?.terminalMessage).toContain('permission claims');
    expect(
      await plane().admin.resource(APIServiceExports).find({ namespace: cluster.name, name: api.name }),
    ).toBeUndefined();
  });

  it('BE-27 BE-28 S-22 a tenant that asks the Kubernetes API itself gets nothing that its tenant is not entitled to', async () => {
    await startBackend(plane());
    const api = sampleApi();
    const [admitted, other] = [await register(plane(), 'team-a'), await register(plane(), 'team-b')];
    const nobody = await register(plane());
    await provide(plane(), api, { allowedTenants: 'team-c, team-a' });

    for (const cluster of [admitted, other, nobody]) await request(cluster, api);

    expect(await phaseOf(plane(), admitted, api.name)).toBe('Succeeded');
    for (const cluster of [other, nobody]) {
      expect(await phaseOf(plane(), cluster, api.name)).toBe('Failed');
      const status = await statusOf(plane(), cluster, api.name);
      expect(status?.terminalMessage).toContain('is not offered to this tenant');
      const exports = await plane().admin.resource(APIServiceExports).list({ namespace: cluster.name });
      expect(exports.items).toEqual([]);
    }
  });

  it('S-22 a request for several APIs of which one is refused exports none of them', async () => {
    await startBackend(plane());
    const cluster = await register(plane(), 'team-b');
    const [free, restricted] = [sampleApi(), sampleApi()];
    await provide(plane(), free);
    await provide(plane(), restricted, { allowedTenants: 'team-a' });

    const name = unique('request');
    await cluster.binder.resource(APIServiceExportRequests).create({
      apiVersion,
      kind: 'APIServiceExportRequest',
      metadata: { name, namespace: cluster.name },
      spec: { resources: [free, restricted].map(({ type }) => ({ group: type.group, resource: type.plural })) },
    });

    expect(await phaseOf(plane(), cluster, name)).toBe('Failed');
    expect((await plane().admin.resource(APIServiceExports).list({ namespace: cluster.name })).items).toEqual([]);
  });

  it('S-22 a tenant can neither write the answer nor the export itself', async () => {
    const [cluster, api] = [await register(plane(), 'team-b'), sampleApi()];
    await request(cluster, api);
    const patch = { type: 'merge', patch: { status: { phase: 'Succeeded' } } } as const;
    const ref = { namespace: cluster.name, name: api.name };

    const answer = cluster.binder.resource(APIServiceExportRequests).patch(ref, patch, { subresource: 'status' });
    await expect(answer).rejects.toMatchObject({ code: 'KUBE_FORBIDDEN' });
    const mapping = cluster.binder.resource(APIServiceNamespaces).patch(ref, patch, { subresource: 'status' });
    await expect(mapping).rejects.toMatchObject({ code: 'KUBE_FORBIDDEN' });
    const exported = cluster.binder.resource(APIServiceExports).create({
      apiVersion,
      kind: 'APIServiceExport',
      metadata: { ...ref },
      spec: { ...api.exported, informerScope: 'Namespaced' },
    });
    await expect(exported).rejects.toMatchObject({ code: 'KUBE_FORBIDDEN' });
  });

  it('BE-20 a hand-made request for a cluster-scoped API fails where only namespaced ones are exported', async () => {
    await startBackend(plane());
    const cluster = await register(plane());
    const api = sampleApi({ scope: 'Cluster' });
    await provide(plane(), api);

    await request(cluster, api);

    expect(await phaseOf(plane(), cluster, api.name)).toBe('Failed');
    expect((await statusOf(plane(), cluster, api.name))?.terminalMessage).toContain('is cluster-scoped');
    expect((await plane().admin.resource(APIServiceExports).list({ namespace: cluster.name })).items).toEqual([]);
  });

  it('BE-43 a cluster-scoped API is exported with its isolation where consumers see the cluster', async () => {
    const settings = { consumerScope: 'Cluster', isolation: 'Namespaced' } as const;
    await startBackend(plane(), settings);
    const cluster = await register(plane());
    const api = sampleApi({ scope: 'Cluster' });
    await provide(plane(), api);

    await request(cluster, api);

    expect(await phaseOf(plane(), cluster, api.name)).toBe('Succeeded');
    const exported = await plane().admin.resource(APIServiceExports).get({ namespace: cluster.name, name: api.name });
    expect(exported.spec).toMatchObject({ informerScope: 'Cluster', clusterScopedIsolation: 'Namespaced' });
  });

  it('BE-43 a request that was answered is removed after ten minutes, and not before', async () => {
    const clock = createManualClock(new Date());
    await startBackend(plane(), { clock });
    const [cluster, api] = [await register(plane()), sampleApi()];
    await provide(plane(), api);
    await request(cluster, api);
    await soon(async () => {
      await clock.advance(100);
      return (await statusOf(plane(), cluster, api.name))?.phase === 'Succeeded';
    });

    await clock.advance(540_000);
    expect((await statusOf(plane(), cluster, api.name))?.phase).toBe('Succeeded');

    await soon(async () => {
      await clock.advance(10_000);
      return (await statusOf(plane(), cluster, api.name)) === undefined;
    });
    expect(
      await plane().admin.resource(APIServiceExports).find({ namespace: cluster.name, name: api.name }),
    ).toBeDefined();
  });

  it('BE-43 a backend that dies between its writes leaves nothing that the next one does not finish', async () => {
    const [cluster, api] = [await register(plane()), sampleApi()];
    await provide(plane(), api);
    const faults = createFaults();
    const isStatus = faults.add({ fault: { type: 'drop' }, when: ({ path }) => path.endsWith('/status') });
    const dying = await startBackend(plane(), { interceptors: [faults.interceptor] });
    await request(cluster, api);
    await soon(() => isStatus.hits > 0);
    await dying.stop();
    expect((await statusOf(plane(), cluster, api.name))?.phase).toBe('Pending');

    await startBackend(plane());

    expect(await phaseOf(plane(), cluster, api.name)).toBe('Succeeded');
  });

  it('BE-43 a request that was answered is not written again, however often it is looked at', async () => {
    const [backend, cluster, api] = [await startBackend(plane()), await register(plane()), sampleApi()];
    await provide(plane(), api);
    await request(cluster, api);
    expect(await phaseOf(plane(), cluster, api.name)).toBe('Succeeded');
    const own = () => backend.writes.filter(({ path }) => path.includes(`/${cluster.name}/`));
    await soon(() => own().some(({ path }) => path.endsWith(`${api.name}/status`) && path.includes('exports/')));
    const before = own().length;

    // The next request is answered after those looks: keys of one lane take turns in order.
    for (let look = 0; look < 5; look += 1) {
      backend.requests.enqueue(`${cluster.name}/${api.name}`);
      const name = unique('again');
      await request(cluster, api, name);
      expect(await phaseOf(plane(), cluster, name)).toBe('Succeeded');
    }

    const about = own()
      .slice(before)
      .map(({ path }) => path.split('?')[0]?.split('/').at(-2));
    expect(about.every((name) => name?.startsWith('again-'))).toBe(true);
  });
});

async function statusOf({ admin }: TestCluster, cluster: Registered, name: string) {
  return (await admin.resource(APIServiceExportRequests).find({ namespace: cluster.name, name }))?.status;
}

/** How the request ends. */
async function phaseOf(plane: TestCluster, cluster: Registered, name: string): Promise<string> {
  return await soon(async () => {
    const phase = (await statusOf(plane, cluster, name))?.phase;
    return phase !== 'Pending' && phase;
  });
}

const providerSecrets: PermissionClaim = {
  group: '',
  resource: 'secrets',
  version: 'v1',
  selector: { owner: 'Provider', names: ['*'], namespaces: ['*'] },
};
