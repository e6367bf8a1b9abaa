import {
  annotations,
  APIServiceNamespaces,
  bindingOwnerReference,
  ConditionType,
  finalizers,
  goKonnectorManager,
  type PermissionClaim,
  prefixedName,
} from '@klutch/api';
import { Secrets, type UnknownObject } from '@klutch/kube';
import { expect, it } from 'vitest';
import { runKonnector } from '../konnector/run-konnector.ts';
import {
  type AppSide,
  createTenant,
  installCrd,
  onBothTiers,
  openAppSide,
  type SampleApi,
  sampleApi,
  type TestTenant,
  unique,
  widget,
} from '../konnector/world.ts';
import { openGoBackendWith } from './go-backend.ts';
import { type OurKonnector, startOurs } from './our-konnector.ts';
import { sceneOf, soon } from './scene.ts';
import { recordRequests, type SentRequest } from './sent-requests.ts';
import { openStage } from './stage.ts';

onBothTiers('what a Go backend and a Go konnector expect of ours', (clusters) => {
  it('KON-66 waits for rights in a fresh service namespace that come late', async () => {
    let ours: OurKonnector | undefined;
    const refused = () => ours?.sent.filter(({ side, status }) => side === 'control-plane' && status === 403) ?? [];
    const stage = await openStage(clusters(), (options) =>
      openGoBackendWith({ rightsAfter: () => soon(() => refused().length > 0) }, options),
    );
    ours = await startOurs(stage);
    await stage.bind();
    const scene = sceneOf(stage);
    await scene.create('w', { size: 1 });
    await scene.specIs('w', { size: 1 });

    expect(refused().length).toBeGreaterThan(0);
    await soon(async () => (await scene.original('w'))['status'] === undefined);
    await stage.app.condition(stage.api, ConditionType.Ready, 'True');
    await ours.stop();
    await stage.close();
  }, 90_000);

  it('KON-66 asks for a namespace with a name and nothing that a Go backend would have to know', async () => {
    const stage = await openStage(clusters(), (options) => openGoBackendWith({}, options));
    const ours = await startOurs(stage);
    await stage.bind();
    const scene = sceneOf(stage);
    await scene.create('w', { size: 1 });
    await scene.copyOf('w');

    const asked = ours.sent.filter(({ method, path }) => method === 'POST' && path.includes('/apiservicenamespaces'));
    expect(asked).toHaveLength(1);
    const { metadata, spec, status } = JSON.parse(asked[0]?.body ?? '{}') as UnknownObject;
    expect(metadata).toMatchObject({ name: scene.appNamespace, namespace: stage.side.clusterNamespace });
    expect(spec ?? {}).toEqual({});
    expect(status ?? {}).toEqual({});
    const ref = { namespace: stage.side.clusterNamespace, name: scene.appNamespace };
    const mapping = await clusters().controlPlane.admin.resource(APIServiceNamespaces).get(ref);
    expect(mapping.metadata.finalizers).toBeUndefined();
    await ours.stop();
    await stage.close();
  }, 90_000);

  it('KON-66 serves two exports that claim the same type, and carries each object once', async () => {
    const { app, controlPlane } = clusters();
    const tenant = await createTenant(controlPlane);
    const side = await openAppSide(app);
    const apis = [sampleApi(), sampleApi()];
    for (const api of apis) await tenant.publish(api, { claims: [providerSecrets] });
    await side.storeKubeconfig(await tenant.offered());
    for (const api of apis) await side.bind(api, { claims: [{ ...providerSecrets, state: 'Accepted' }] });
    const sent: SentRequest[] = [];
    const ours = await runKonnector(side, {
      apis,
      claims: [{ resource: 'secrets', owner: 'Provider' }],
      interceptors: [recordRequests(sent)],
    });
    for (const api of apis) await side.condition(api, ConditionType.Ready, 'True');
    const { name: namespace } = (await side.namespace()).metadata;
    const [first] = apis;
    if (first) await app.admin.resource(first.type).create(widget(first, 'w', namespace, { size: 1 }));
    const service = await tenant.serviceNamespace(namespace);
    await controlPlane.admin.resource(Secrets).create({
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 'creds', namespace: service },
      data: { password: 'cDE=' },
    });
    await soon(() => app.admin.resource(Secrets).find({ namespace, name: 'creds' }));
    for (const api of apis) await side.condition(api, ConditionType.ClaimsSynced, 'True');

    const created = sent.filter(({ method, path }) => method === 'POST' && path.includes(`/${namespace}/secrets`));
    expect(created.map(({ status }) => status)).toEqual([201]);
    await ours.stop();
    await tenant.close();
  }, 90_000);

  it('KON-66 gives cluster-scoped copies the prefix, the annotation and the owner that a Go konnector looks for', async () => {
    const { tenant, api, konnector } = await openClusterScoped();
    const name = unique('y');
    const original = await clusters()
      .app.admin.resource(api.type)
      .create(widget(api, name, undefined, { size: 1 }));
    const copy = await copyOf(api, tenant, name);

    expectLikeGo(copy, tenant);
    expect(copy.metadata.uid).not.toBe(original.metadata.uid);
    await konnector.stop();
    await tenant.close();
  }, 90_000);

  it('KON-68 takes over cluster-scoped copies of a Go konnector in place', async () => {
    const { app, controlPlane } = clusters();
    const name = unique('x');
    const { tenant, api, konnector, before } = await openClusterScoped(async ({ api, tenant }) => {
      const originals = app.admin.resource(api.type);
      await originals.create({
        ...widget(api, name, undefined, { size: 1 }),
        metadata: { name, finalizers: [finalizers.syncer], annotations: { [annotations.bound]: 'true' } },
      });
      const made = {
        ...widget(api, prefixedName(tenant.clusterNamespace, name), undefined, {
          size: 1,
          tags: ['removed by the user'],
        }),
        metadata: {
          name: prefixedName(tenant.clusterNamespace, name),
          annotations: { [annotations.bound]: 'true', [annotations.clusterNamespace]: tenant.clusterNamespace },
          ownerReferences: [{ apiVersion: 'v1', kind: 'Namespace', name: tenant.clusterNamespace, uid: tenant.uid }],
        },
      };
      return await controlPlane.admin.resource(api.type).create(made, { fieldManager: goKonnectorManager });
    });
    await soon(async () => {
      expect((await copyOf(api, tenant, name))['spec']).toEqual({ size: 1 });
      return true;
    });
    const copy = await copyOf(api, tenant, name);
    expect(copy.metadata.uid).toBe(before?.metadata.uid);
    expectLikeGo(copy, tenant);

    await app.admin.resource(api.type).delete({ name });
    await soon(async () => (await app.admin.resource(api.type).find({ name })) === undefined);
    const ref = { name: prefixedName(tenant.clusterNamespace, name) };
    expect(await controlPlane.admin.resource(api.type).find(ref)).toBeUndefined();
    await konnector.stop();
    await tenant.close();
  }, 90_000);

  /** A tenant with a cluster-scoped API, what a Go konnector left of it, and ours at work. */
  async function openClusterScoped(
    leave: (left: {
      api: SampleApi;
      tenant: TestTenant;
      side: AppSide;
    }) => Promise<UnknownObject | undefined> = async () => undefined,
  ) {
    const { app, controlPlane } = clusters();
    const api = sampleApi({ scope: 'Cluster' });
    const tenant = await createTenant(controlPlane);
    const side = await openAppSide(app);
    await tenant.publish(api);
    await side.storeKubeconfig(await tenant.offered());
    const binding = await side.bind(api);
    const metadata = { ...api.crd.metadata, ownerReferences: [bindingOwnerReference(binding)] };
    await installCrd(app.admin, { ...api.crd, metadata });
    const before = await leave({ api, tenant, side });
    const konnector = await runKonnector(side, { apis: [api] });
    await side.condition(api, ConditionType.Ready, 'True');
    return { tenant, api, konnector, before };
  }

  async function copyOf(api: SampleApi, tenant: TestTenant, name: string): Promise<UnknownObject> {
    const ref = { name: prefixedName(tenant.clusterNamespace, name) };
    return await soon(() => clusters().controlPlane.admin.resource(api.type).find(ref));
  }
});

function expectLikeGo({ metadata }: UnknownObject, tenant: TestTenant): void {
  expect(metadata.annotations).toMatchObject({
    [annotations.bound]: 'true',
    [annotations.clusterNamespace]: tenant.clusterNamespace,
  });
  expect(metadata.ownerReferences).toEqual([
    { apiVersion: 'v1', kind: 'Namespace', name: tenant.clusterNamespace, uid: tenant.uid },
  ]);
}

const providerSecrets: PermissionClaim = {
  group: '',
  resource: 'secrets',
  version: 'v1',
  selector: { owner: 'Provider', names: ['*'], namespaces: ['*'] },
};
