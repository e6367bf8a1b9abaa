import {
  annotations,
  APIServiceBindings,
  ClusterBindings,
  controlPlane,
  CustomResourceDefinitions,
  findCondition,
  isConditionTrue,
} from '@klutch/api';
import { type Interceptor, Leases, renderKubeconfig, Secrets } from '@klutch/kube';
import { eventually } from '@klutch/kube/testing';
import { expect, it } from 'vitest';
import { type Bound, bound } from './bound.ts';
import { runKonnector } from './run-konnector.ts';
import {
  createTenant,
  doorTo,
  onBothTiers,
  openAppSide,
  type SampleApi,
  sampleApi,
  type TestTenant,
  widget,
} from './world.ts';

const soon = { withinMs: 25_000, everyMs: 20 };

onBothTiers('the connection of a konnector', (clusters) => {
  const heartbeatOf = async ({ clusterNamespace }: TestTenant) =>
    (
      await clusters()
        .controlPlane.admin.resource(ClusterBindings)
        .get({ namespace: clusterNamespace, name: 'cluster' })
    ).status;
  const condition = async ({ side, api }: Pick<Bound, 'side' | 'api'>, type: string) =>
    findCondition((await side.binding(api)).status?.conditions, type);

  it('KON-52 shows life on the control plane within the promised interval', async () => {
    const { api, tenant, side } = await bound(clusters());
    const konnector = await runKonnector(side, { apis: [api], options: { heartbeatMs: 4_000 } });
    await side.condition(api, 'Heartbeating', 'True');

    const first = await heartbeatOf(tenant);
    expect(first).toMatchObject({ heartbeatInterval: '4s', konnectorVersion: 'v1.2.3' });
    expect(isConditionTrue(first?.conditions, 'SecretValid')).toBe(true);
    expect(isConditionTrue(first?.conditions, 'ValidVersion')).toBe(true);
    const next = await eventually(async () => {
      const status = await heartbeatOf(tenant);
      return status?.lastHeartbeatTime !== first?.lastHeartbeatTime && status;
    }, soon);
    const step = Date.parse(next.lastHeartbeatTime ?? '') - Date.parse(first?.lastHeartbeatTime ?? '');
    expect(step).toBeGreaterThan(0);

    await konnector.stop();
    await tenant.close();
  });

  it('KON-53 shows a lost control plane on the binding, and its return', async () => {
    const { api, tenant, side } = await bound(clusters());
    const konnector = await runKonnector(side, { apis: [api] });
    await side.condition(api, 'Ready', 'True');

    tenant.door.shut();
    await side.condition(api, 'Heartbeating', 'False', 'ControlPlaneUnreachable');
    await side.condition(api, 'Ready', 'False', 'ControlPlaneUnreachable');
    expect(await condition({ side, api }, 'InformersSynced')).toMatchObject({ status: 'True' });
    tenant.door.open();
    await side.condition(api, 'Ready', 'True');

    await konnector.stop();
    await tenant.close();
  });

  it('KON-53 shows a control plane that no longer answers within 15 s, also while many writes wait for it', async () => {
    const { controlPlane, app } = clusters();
    const apis = [sampleApi(), sampleApi(), sampleApi()];
    const [api] = apis as [SampleApi];
    const tenant = await createTenant(controlPlane);
    const side = await openAppSide(app);
    await side.storeKubeconfig(await tenant.kubeconfig());
    for (const one of apis) {
      await tenant.publish(one);
      await side.bind(one);
    }
    const namespace = (await side.namespace()).metadata.name;
    // With the times that are used in earnest.
    const konnector = await runKonnector(side, { apis, options: { probe: undefined } });
    for (const one of apis) await side.condition(one, 'Ready', 'True');
    await app.admin.resource(api.type).create(widget(api, 'first', namespace, { size: 1 }));
    const copy = { namespace: await tenant.serviceNamespace(namespace), name: 'first' };
    await eventually(() => controlPlane.admin.resource(api.type).find(copy), soon);

    tenant.door.freeze();
    const frozenAt = Date.now();
    const created = apis.flatMap((one) =>
      Array.from({ length: 34 }, (_, index) =>
        app.admin.resource(one.type).create(widget(one, `waits-${index}`, namespace, { size: 1 })),
      ),
    );
    await Promise.all(created);
    await side.condition(api, 'Heartbeating', 'False', 'ControlPlaneUnreachable');
    expect(Date.now() - frozenAt).toBeLessThan(15_000);

    tenant.door.open();
    await side.condition(api, 'Heartbeating', 'True');
    await konnector.stop();
    await tenant.close();
  }, 120_000);

  it('KON-53 does not pretend to know a control plane that is away from the start', async () => {
    const { api, tenant, side } = await bound(clusters());
    tenant.door.shut();
    const konnector = await runKonnector(side, { apis: [api] });

    await side.condition(api, 'Heartbeating', 'False', 'ControlPlaneUnreachable');
    await side.condition(api, 'InformersSynced', 'False');
    expect(await condition({ side, api }, 'Connected')).toBeUndefined();
    expect(await condition({ side, api }, 'SecretValid')).toMatchObject({ status: 'True' });
    tenant.door.open();
    await side.condition(api, 'Ready', 'True');

    await konnector.stop();
    await tenant.close();
  });

  it('KON-54 carries everything over at once when the control plane is back', async () => {
    const { api, tenant, side } = await bound(clusters());
    const konnector = await runKonnector(side, { apis: [api] });
    const widgets = side.cluster.admin.resource(api.type);
    const namespace = (await side.namespace()).metadata.name;
    await side.condition(api, 'Ready', 'True');
    await widgets.create(widget(api, 'before', namespace, { size: 1 }));
    const service = await tenant.serviceNamespace(namespace);
    const copies = clusters().controlPlane.admin.resource(api.type);
    await eventually(() => copies.find({ namespace: service, name: 'before' }), soon);

    tenant.door.shut();
    await side.condition(api, 'Heartbeating', 'False', 'ControlPlaneUnreachable');
    const names = Array.from({ length: 20 }, (_, index) => `during-${index}`);
    for (const name of names) await widgets.create(widget(api, name, namespace, { size: 2 }));
    tenant.door.open();

    await eventually(async () => {
      const { items } = await copies.list({ namespace: service });
      return items.length === names.length + 1;
    }, soon);
    await konnector.stop();
    await tenant.close();
  });

  it('KON-55 takes a new kubeconfig from the control plane and goes on with it', async () => {
    const { api, tenant, side } = await bound(clusters());
    const konnector = await runKonnector(side, { apis: [api] });
    await side.condition(api, 'Ready', 'True');
    const before = (await heartbeatOf(tenant))?.lastHeartbeatTime;

    const renewed = await tenant.kubeconfig();
    await tenant.offer(renewed);

    await eventually(async () => {
      const secret = await side.cluster.admin
        .resource(Secrets)
        .get({ namespace: side.bindingNamespace, name: 'kubeconfig-test' });
      return Buffer.from(secret.data?.['kubeconfig'] ?? '', 'base64').toString() === renewed;
    }, soon);
    // Whoever has renewed it waits for this sign that it is in use.
    await eventually(async () => (await heartbeatOf(tenant))?.lastHeartbeatTime !== before, soon);
    const widgets = side.cluster.admin.resource(api.type);
    const namespace = (await side.namespace()).metadata.name;
    await widgets.create(widget(api, 'w', namespace, { size: 1 }));
    const service = await tenant.serviceNamespace(namespace);
    await eventually(
      () => clusters().controlPlane.admin.resource(api.type).find({ namespace: service, name: 'w' }),
      soon,
    );
    await side.condition(api, 'Ready', 'True');
    await konnector.stop();
    await tenant.close();
  });

  it('KON-55 does not carry a kubeconfig over one that somebody has stored since the control plane was asked', async () => {
    const { api, tenant, side } = await bound(clusters());
    const offer = `/api/v1/namespaces/${tenant.clusterNamespace}/secrets/${controlPlane.kubeconfigSecret}`;
    const stored = `/api/v1/namespaces/${side.bindingNamespace}/secrets/kubeconfig-test`;
    const newest = await tenant.kubeconfig();
    const outcomes: number[] = [];
    let isRotated = false;
    const rotatesOnceAsked: Interceptor = (next) => async (request) => {
      const answer = await next(request);
      if (request.method === 'PATCH' && request.path.startsWith(stored)) outcomes.push(answer.status);
      if (request.method === 'GET' && request.path === offer && !isRotated) {
        isRotated = true;
        await tenant.offer(newest);
        await side.storeKubeconfig(newest);
      }
      return answer;
    };
    const konnector = await runKonnector(side, { apis: [api], interceptors: [rotatesOnceAsked] });

    await eventually(async () => outcomes.length > 0, soon);
    expect(outcomes[0]).toBe(409);
    await konnector.stop();
    await tenant.close();
  });

  it('KON-55 does not bring a kubeconfig Secret back that no binding uses any more', async () => {
    const { api, tenant, side } = await bound(clusters());
    const secret = { namespace: side.bindingNamespace, name: 'kubeconfig-test' };
    const path = `/api/v1/namespaces/${secret.namespace}/secrets`;
    const requests: string[] = [];
    const record: Interceptor = (next) => (request) => {
      if (request.path === path || request.path === `${path}/${secret.name}`) requests.push(request.method);
      return next(request);
    };
    const konnector = await runKonnector(side, { apis: [api], interceptors: [record] });
    await side.condition(api, 'Ready', 'True');
    const { admin } = side.cluster;
    const binding = { namespace: side.bindingNamespace, name: api.name };
    await admin.resource(APIServiceBindings).delete(binding);
    await eventually(async () => {
      const crd = await admin.resource(CustomResourceDefinitions).get({ name: api.name });
      return crd.metadata.annotations?.[annotations.released] !== undefined;
    }, soon);

    requests.length = 0;
    await admin.resource(Secrets).delete(secret);

    // It looks at once, and again: only then is it known what came of the first look.
    await eventually(async () => requests.includes('GET'), soon);
    await tenant.offer(await tenant.kubeconfig());
    await eventually(async () => requests.filter((method) => method === 'GET').length > 1, soon);
    expect(requests).not.toContain('POST');
    expect(await admin.resource(Secrets).find(secret)).toBeUndefined();
    await konnector.stop();
    await tenant.close();
  });

  it('KON-55 keeps the old kubeconfig when the new one does not work, and says so', async () => {
    const { api, tenant, side } = await bound(clusters());
    const konnector = await runKonnector(side, { apis: [api] });
    await side.condition(api, 'Ready', 'True');
    const bad = renderKubeconfig({
      server: tenant.door.url,
      ca: clusters().controlPlane.caCertificate,
      namespace: tenant.clusterNamespace,
      user: { token: 'not-a-token' },
    });

    await tenant.offer(bad);
    await side.condition(api, 'SecretValid', 'False', 'KubeconfigSecretInvalid');

    const state = await condition({ side, api }, 'SecretValid');
    expect(state?.message).toMatch(/the one before stays in use/);
    expect(state?.message).not.toContain('not-a-token');
    expect(await condition({ side, api }, 'Heartbeating')).toMatchObject({ status: 'True' });
    await tenant.offer(await tenant.kubeconfig());
    await side.condition(api, 'Ready', 'True');
    await konnector.stop();
    await tenant.close();
  });

  it('KON-55 leaves one control plane wholly before it turns to another', async () => {
    const { api, tenant, side } = await bound(clusters());
    const konnector = await runKonnector(side, { apis: [api] });
    await side.condition(api, 'Ready', 'True');
    const other = await createTenant(clusters().controlPlane);
    await other.publish(api);

    await tenant.offer(await other.kubeconfig());

    await eventually(async () => (await heartbeatOf(other))?.lastHeartbeatTime, soon);
    await konnector.stop();
    await tenant.close();
    await other.close();
  });

  it('KON-56 refuses a kubeconfig that runs, reads or redirects something', async () => {
    const { api, tenant, side } = await bound(clusters());
    const konnector = await runKonnector(side, { apis: [api] });
    await side.condition(api, 'Ready', 'True');
    const good = await tenant.kubeconfig();

    for (const evil of ['exec: {command: /bin/true}', 'auth-provider: {name: x}', 'tokenFile: /etc/hostname']) {
      const text = `apiVersion: v1
kind: Config
current-context: x
clusters: [{name: x, cluster: {server: "${tenant.door.url}", insecure-skip-tls-verify: true}}]
contexts: [{name: x, context: {cluster: x, user: x, namespace: ${tenant.clusterNamespace}}}]
users: [{name: x, user: {${evil}}}]
`;
      await tenant.offer(text);
      await eventually(async () => {
        const valid = findCondition((await heartbeatOf(tenant))?.conditions, 'SecretValid');
        return valid?.reason === 'ProviderSecretInvalid' && valid.message?.includes('comes from elsewhere');
      }, soon);
      await tenant.offer(good);
      await eventually(async () => isConditionTrue((await heartbeatOf(tenant))?.conditions, 'SecretValid'), soon);
      await side.storeKubeconfig(text);
      // The control plane wins: what was put there by hand is replaced before it is ever used.
      await side.condition(api, 'Ready', 'True');
    }
    await konnector.stop();
    await tenant.close();
  });

  it('KON-57 serves two providers, and the outage of one does not touch the other', async () => {
    const { api, tenant, side } = await bound(clusters());
    const otherApi = sampleApi();
    const other = await createTenant(clusters().controlPlane);
    await other.publish(otherApi);
    await side.storeKubeconfig(await other.kubeconfig(), 'kubeconfig-other');
    await side.bind(otherApi, { secret: 'kubeconfig-other' });
    const konnector = await runKonnector(side, { apis: [api, otherApi] });
    await side.condition(api, 'Ready', 'True');
    await side.condition(otherApi, 'Ready', 'True');

    tenant.door.shut();
    await side.condition(api, 'Heartbeating', 'False', 'ControlPlaneUnreachable');
    const namespace = (await side.namespace()).metadata.name;
    await side.cluster.admin.resource(otherApi.type).create(widget(otherApi, 'w', namespace, { size: 1 }));
    const service = await other.serviceNamespace(namespace);
    await eventually(
      () => clusters().controlPlane.admin.resource(otherApi.type).find({ namespace: service, name: 'w' }),
      soon,
    );

    await side.condition(otherApi, 'Ready', 'True');
    await konnector.stop();
    await Promise.all([tenant.close(), other.close()]);
  });

  it('KON-27 deletes nothing on the control plane after the app cluster was set back, until somebody decides', async () => {
    const { api, tenant, side } = await bound(clusters());
    const { admin } = side.cluster;
    const widgets = admin.resource(api.type);
    const namespace = (await side.namespace()).metadata.name;
    const first = await runKonnector(side, { apis: [api] });
    await side.condition(api, 'Ready', 'True');
    const lease = { namespace: side.bindingNamespace, name: 'klutch-bind' };
    const before = (await admin.resource(Leases).get(lease)).metadata.annotations?.[annotations.mark];
    await widgets.create(widget(api, 'w', namespace, { size: 1 }));
    const service = await tenant.serviceNamespace(namespace);
    const copies = clusters().controlPlane.admin.resource(api.type);
    await eventually(() => copies.find({ namespace: service, name: 'w' }), soon);
    await eventually(async () => isConditionTrue((await side.binding(api)).status?.conditions, 'Ready'), soon);
    await first.stop();

    // As after a restore: the object is not there, and the lease is as it was before.
    await widgets.patch({ namespace, name: 'w' }, { type: 'merge', patch: { metadata: { finalizers: null } } });
    await widgets.delete({ namespace, name: 'w' });
    const metadata = { annotations: { [annotations.mark]: before } };
    await admin.resource(Leases).patch(lease, { type: 'merge', patch: { metadata } });
    const second = await runKonnector(side, { apis: [api] });
    await side.condition(api, 'InstancesSynced', 'False', 'AppClusterSetBack');
    await second.stop();

    // It is known still, although the lease went on since.
    const third = await runKonnector(side, { apis: [api] });
    await eventually(() => third.isLeader(), soon);
    await side.condition(api, 'Heartbeating', 'True');
    await side.condition(api, 'InstancesSynced', 'False', 'AppClusterSetBack');
    expect(await copies.find({ namespace: service, name: 'w' })).toBeDefined();

    await admin
      .resource(APIServiceBindings)
      .patch(
        { namespace: side.bindingNamespace, name: api.name },
        { type: 'merge', patch: { metadata: { annotations: { [annotations.orphans]: 'Delete' } } } },
      );
    await eventually(async () => (await copies.find({ namespace: service, name: 'w' })) === undefined, soon);
    await third.stop();
    await tenant.close();
  });

  it('serves a tenant once, also when two Secrets lead to it', async () => {
    const { api, tenant, side } = await bound(clusters());
    const other = sampleApi();
    await tenant.publish(other);
    await side.storeKubeconfig(await tenant.kubeconfig(), 'kubeconfig-other');
    await side.bind(other, { secret: 'kubeconfig-other' });
    const konnector = await runKonnector(side, { apis: [api, other] });

    for (const one of [api, other]) await side.condition(one, 'Ready', 'True');
    await side.cluster.admin.resource(APIServiceBindings).delete({ namespace: side.bindingNamespace, name: api.name });

    const namespace = (await side.namespace()).metadata.name;
    await side.cluster.admin.resource(other.type).create(widget(other, 'w', namespace, { size: 1 }));
    const service = await tenant.serviceNamespace(namespace);
    await eventually(
      () => clusters().controlPlane.admin.resource(other.type).find({ namespace: service, name: 'w' }),
      soon,
    );
    await konnector.stop();
    await tenant.close();
  });

  it('takes a binding that joins later into the same link', async () => {
    const { api, tenant, side } = await bound(clusters());
    const late = sampleApi();
    await tenant.publish(late);
    const konnector = await runKonnector(side, { apis: [api, late] });
    await side.condition(api, 'Ready', 'True');

    await side.bind(late);

    for (const type of ['SecretValid', 'InformersSynced', 'Heartbeating', 'Connected', 'Ready']) {
      await side.condition(late, type, 'True');
    }
    expect((await side.binding(late)).status?.providerPrettyName).toBe('Test provider');
    await konnector.stop();
    await tenant.close();
  });

  it('writes nothing when nothing happens', async () => {
    const { api, tenant, side } = await bound(clusters());
    const konnector = await runKonnector(side, { apis: [api] });
    await side.condition(api, 'Ready', 'True');
    const door = await doorTo(clusters().controlPlane.url);
    const settled = await eventually(async () => {
      const before = konnector.writes.filter(({ path }) => !path.includes('/leases')).length;
      await side.binding(api);
      return konnector.writes.filter(({ path }) => !path.includes('/leases')).length === before && before;
    }, soon);

    const { resourceVersion } = (await side.binding(api)).metadata;
    await eventually(() => konnector.writes.filter(({ path }) => path.includes('/leases')).length > 10, soon);

    expect((await side.binding(api)).metadata.resourceVersion).toBe(resourceVersion);
    expect(settled).toBeGreaterThan(0);
    await door.close();
    await konnector.stop();
    await tenant.close();
  });
});
