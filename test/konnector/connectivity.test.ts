import { annotations, APIServiceBindings, findCondition, isConditionTrue } from '@klutch/api';
import { Leases } from '@klutch/kube';
import { eventually } from '@klutch/kube/testing';
import { expect, it } from 'vitest';
import { type Bound, bound } from './bound.ts';
import { runKonnector } from './run-konnector.ts';
import { createTenant, doorTo, onBothTiers, openAppSide, type SampleApi, sampleApi, widget } from './world.ts';

const soon = { withinMs: 25_000, everyMs: 20 };

onBothTiers('the connection of a konnector', (clusters) => {
  const condition = async ({ side, api }: Pick<Bound, 'side' | 'api'>, type: string) =>
    findCondition((await side.binding(api)).status?.conditions, type);

  it('KON-52 shows life on the control plane within the promised interval', async () => {
    const { api, tenant, side } = await bound(clusters());
    const konnector = await runKonnector(side, { apis: [api], options: { heartbeatMs: 4_000 } });
    await side.condition(api, 'Heartbeating', 'True');

    const first = await tenant.status();
    expect(first).toMatchObject({ heartbeatInterval: '4s', konnectorVersion: 'v1.2.3' });
    expect(isConditionTrue(first?.conditions, 'SecretValid')).toBe(true);
    expect(isConditionTrue(first?.conditions, 'ValidVersion')).toBe(true);
    const next = await eventually(async () => {
      const status = await tenant.status();
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
    await side.storeKubeconfig(await tenant.offered());
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

  it('KON-57 serves two providers, and the outage of one does not touch the other', async () => {
    const { api, tenant, side } = await bound(clusters());
    const otherApi = sampleApi();
    const other = await createTenant(clusters().controlPlane);
    await other.publish(otherApi);
    await side.storeKubeconfig(await other.offered(), 'kubeconfig-other');
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
    await side.storeKubeconfig(await tenant.offered(), 'kubeconfig-other');
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
