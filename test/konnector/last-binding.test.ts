import { annotations, APIServiceBindings, APIServiceExports, ConditionType, findCondition } from '@klutch/api';
import { noMetrics } from '@klutch/konnector/parts';
import { createFaults, eventually } from '@klutch/kube/testing';
import { expect, it, vi } from 'vitest';
import { bound } from './bound.ts';
import { runKonnector } from './run-konnector.ts';
import { type AppSide, onBothTiers, type SampleApi, type TestTenant, widget } from './world.ts';

vi.setConfig({ testTimeout: 180_000 });

const soon = { withinMs: 60_000, everyMs: 50 };

onBothTiers('the last binding of a link', (clusters) => {
  const unbind = (side: AppSide, api: SampleApi) =>
    side.cluster.admin.resource(APIServiceBindings).delete({ namespace: side.bindingNamespace, name: api.name });

  /** Waits until a condition of an export is as wanted. */
  async function exportSays(tenant: TestTenant, api: SampleApi, type: string, status: string, reason?: string) {
    const exports = clusters().controlPlane.admin.resource(APIServiceExports);
    await eventually(async () => {
      const { status: shown } = await exports.get({ namespace: tenant.clusterNamespace, name: api.name });
      const found = findCondition(shown?.conditions, type);
      if (found?.status === status && (reason === undefined || found.reason === reason)) return true;
      throw new Error(`${type} is ${JSON.stringify(found)}, not ${status} ${reason ?? ''}`);
    }, soon);
  }

  it('KON-58 tells the export that nobody uses it any more, and its metrics vanish', async () => {
    const { api, tenant, side } = await bound(clusters());
    const links = new Set<string>();
    const metrics = {
      ...noMetrics,
      linkUp: (link: string) => void links.add(link),
      linkGone: (link: string) => void links.delete(link),
    };
    const faults = createFaults();
    const konnector = await runKonnector(side, { apis: [api], metrics, interceptors: [faults.interceptor] });
    await side.condition(api, 'Ready', 'True');
    await exportSays(tenant, api, ConditionType.Connected, 'True');
    await exportSays(tenant, api, ConditionType.Ready, 'True');
    expect([...links]).toEqual([`${side.bindingNamespace}/kubeconfig-test`]);

    // The control plane does not listen at once.
    const isReport = ({ method, path }: { method: string; path: string }) =>
      method === 'PATCH' && path.includes('/apiserviceexports/');
    faults.add({ when: isReport, fault: { type: 'status', status: 503 }, times: 2 });
    await unbind(side, api);

    await exportSays(tenant, api, ConditionType.Connected, 'False', 'APIServiceBindingNotFound');
    await exportSays(tenant, api, ConditionType.ConsumerInSync, 'False', 'NA');
    await exportSays(tenant, api, ConditionType.Ready, 'False');
    await eventually(() => links.size === 0, soon);

    await side.bind(api);
    await side.condition(api, 'Ready', 'True');
    await exportSays(tenant, api, ConditionType.Connected, 'True');
    await exportSays(tenant, api, ConditionType.Ready, 'True');
    await konnector.stop();
    expect([...links]).toEqual([]);
    await tenant.close();
  });

  it('KON-59 shows how many objects are left while it waits for them', async () => {
    const { api, tenant, side } = await bound(clusters());
    const { admin } = side.cluster;
    await admin
      .resource(APIServiceBindings)
      .patch(
        { namespace: side.bindingNamespace, name: api.name },
        { type: 'merge', patch: { metadata: { annotations: { [annotations.onUnbind]: 'Delete' } } } },
      );
    const konnector = await runKonnector(side, { apis: [api] });
    await side.condition(api, 'Ready', 'True');
    const namespace = (await side.namespace()).metadata.name;
    const originals = admin.resource(api.type);
    const held = ['example.org/somebody'];
    for (const name of ['free', 'held-1', 'held-2']) {
      const object = widget(api, name, namespace, { size: 1 });
      const finalizers = name === 'free' ? [] : held;
      await originals.create({ ...object, metadata: { ...object.metadata, finalizers } });
    }
    const service = await tenant.serviceNamespace(namespace);
    const copies = clusters().controlPlane.admin.resource(api.type);
    await eventually(async () => (await copies.list({ namespace: service })).items.length === 3, soon);

    await unbind(side, api);

    const message = await eventually(async () => {
      const { status } = await side.binding(api);
      const found = findCondition(status?.conditions, ConditionType.Unbound);
      return found?.reason === 'ObjectsLeft' && found.message?.includes('2 objects') ? found.message : undefined;
    }, soon);
    expect(message).toContain(`${namespace}/held-1`);
    await side.condition(api, 'Ready', 'False', 'ObjectsLeft');

    const free = (name: string) =>
      originals.patch({ namespace, name }, { type: 'merge', patch: { metadata: { finalizers: null } } });
    await free('held-1');
    await eventually(async () => {
      const { status } = await side.binding(api);
      return findCondition(status?.conditions, ConditionType.Unbound)?.message?.includes('1 object of');
    }, soon);
    await free('held-2');
    const bindings = admin.resource(APIServiceBindings);
    await eventually(
      async () => (await bindings.find({ namespace: side.bindingNamespace, name: api.name })) === undefined,
      soon,
    );
    await konnector.stop();
    await tenant.close();
  });
});
