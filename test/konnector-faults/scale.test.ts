import { ConditionType } from '@klutch/api';
import { startInformer } from '@klutch/kube';
import { eventually } from '@klutch/kube/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AppSide, openAppSide, widget } from '../konnector/app-side.ts';
import { installKinds } from '../konnector/clusters.ts';
import { runKonnector, type TestKonnector } from '../konnector/run-konnector.ts';
import { type SampleApi, sampleApi } from '../konnector/sample-api.ts';
import { createTenant, type TestTenant } from '../konnector/tenant.ts';
import { openRewindable, type RewindableCluster } from './rewindable.ts';

/** What one kubeconfig leads to. */
interface Supplier {
  readonly tenant: TestTenant;
  readonly apis: readonly SampleApi[];
  /** How the control plane may be watched. */
  readonly scope: 'Namespaced' | 'Cluster';
}

const namespaceCount = 50;

describe('one konnector with three links, twenty APIs and fifty namespaces (embedded)', () => {
  let app: RewindableCluster;
  let controlPlane: RewindableCluster;
  let side: AppSide;
  let konnector: TestKonnector;
  let suppliers: readonly [Supplier, Supplier, Supplier];
  let namespaces: readonly string[];

  beforeAll(async () => {
    [app, controlPlane] = await Promise.all([openRewindable('embedded'), openRewindable('embedded')]);
    await installKinds(controlPlane);
    side = await openAppSide(app);
    suppliers = [await supply(6, 'Namespaced'), await supply(7, 'Cluster'), await supply(7, 'Cluster')];
    const apis = suppliers.flatMap((one) => one.apis);
    konnector = await runKonnector(side, { apis });
    for (const api of apis) await side.condition(api, ConditionType.Ready, 'True');
    namespaces = await Promise.all(
      Array.from({ length: namespaceCount }, async () => (await side.namespace()).metadata.name),
    );
  }, 180_000);
  afterAll(async () => {
    await konnector?.stop();
    for (const { tenant } of suppliers ?? []) await tenant.close();
    await Promise.all([app?.close(), controlPlane?.close()]);
  });

  async function supply(count: number, scope: Supplier['scope']): Promise<Supplier> {
    const tenant = await createTenant(controlPlane);
    const secret = `kubeconfig-${tenant.clusterNamespace}`;
    const apis = Array.from({ length: count }, () => sampleApi());
    await side.storeKubeconfig(await tenant.offered(), secret);
    for (const api of apis) {
      await tenant.publish(api, { informerScope: scope });
      await side.bind(api, { secret });
    }
    return { tenant, apis, scope };
  }

  /** One object of each supplier in each namespace; the APIs take turns. */
  async function createEverywhere(name: string, by: readonly Supplier[]): Promise<void> {
    for (const [index, namespace] of namespaces.entries()) {
      await Promise.all(by.map((one) => create(apiFor(one, index), namespace, name)));
    }
  }

  async function create(api: SampleApi, namespace: string, name: string): Promise<void> {
    await app.admin.resource(api.type).create(widget(api, name, namespace, { size: 1 }));
  }

  async function arrivedEverywhere(name: string, by: readonly Supplier[]): Promise<void> {
    for (const one of by) {
      await eventually(async () => (await countCopies(one, name)) === namespaceCount, {
        withinMs: 60_000,
        everyMs: 100,
      });
    }
  }

  async function countCopies({ apis, tenant }: Supplier, name: string): Promise<number> {
    const lists = await Promise.all(apis.map((api) => controlPlane.admin.resource(api.type).list()));
    const isMine = (namespace = '') => namespace.startsWith(`${tenant.clusterNamespace}-`);
    return lists
      .flatMap(({ items }) => items)
      .filter(({ metadata }) => metadata.name === name && isMine(metadata.namespace)).length;
  }

  it('brings all objects in step, over one watch for each resource and set of namespaces', async () => {
    await createEverywhere('first', suppliers);
    await arrivedEverywhere('first', suppliers);

    const apis = suppliers.flatMap((one) => one.apis);
    // Bindings, Namespaces, enrolments, a kubeconfig Secret for each link, and for each API its CRD, by name, and its objects.
    await expectWatches(app, 3 + suppliers.length + 2 * apis.length);
    const watched = suppliers.map(({ apis: own, scope }) => own.length * (scope === 'Cluster' ? 1 : namespaceCount));
    // ClusterBinding, exports, APIServiceNamespaces and the offered kubeconfig for each link; and that of its backend.
    const expected = watched.reduce((sum, count) => sum + count + 4 + 1, 0);
    await expectWatches(controlPlane, expected);
  }, 120_000);

  it('is not held up by a namespace that gets no place, nor by a control plane that is away', async () => {
    const [first, second, third] = suppliers;
    const { name: stuck } = (await side.namespace('stuck')).metadata;
    const release = first.tenant.hold(stuck);
    await create(apiFor(first, 0), stuck, 'waits');
    third.tenant.door.shut();
    await side.condition(apiFor(third, 0), ConditionType.Heartbeating, 'False');

    await createEverywhere('second', suppliers);
    await arrivedEverywhere('second', [first, second]);
    expect(await countCopies(third, 'second')).toBe(0);
    for (const api of second.apis) await side.condition(api, ConditionType.Ready, 'True');

    third.tenant.door.open();
    release();
    await arrivedEverywhere('second', [third]);
    await eventually(async () => (await countCopies(first, 'waits')) === 1, { withinMs: 30_000 });
  }, 120_000);

  it('lets one object of a small namespace pass five hundred of a large one', async () => {
    const [supplier] = suppliers;
    const [crowd = '', lone = ''] = namespaces;
    const api = apiFor(supplier, 0);
    const count = 500;
    supplier.tenant.door.shut();
    await side.condition(api, ConditionType.Heartbeating, 'False');
    for (let done = 0; done < count; done += 50) {
      await Promise.all(Array.from({ length: 50 }, (_, index) => create(api, crowd, `crowd-${done + index}`)));
    }
    await create(api, lone, 'lone');

    const order: string[] = [];
    const stop = new AbortController();
    const copies = startInformer({ client: controlPlane.admin.resource(api.type) }, stop.signal);
    copies.subscribe(({ type, object }) => {
      if (type === 'added' && /^(crowd|lone)/.test(object.metadata.name ?? '')) order.push(object.metadata.name ?? '');
    });
    await copies.synced;
    supplier.tenant.door.open();
    await eventually(() => order.length === count + 1, { withinMs: 60_000, everyMs: 50 });
    stop.abort();
    await copies.stopped;

    expect(order.indexOf('lone')).toBeLessThan(count / 2);
  }, 120_000);
});

async function expectWatches(cluster: RewindableCluster, expected: number): Promise<void> {
  await eventually(
    () => {
      if (cluster.watches() === expected) return true;
      throw new Error(`There are ${cluster.watches()} watches, not ${expected}.`);
    },
    { withinMs: 30_000 },
  );
}

function apiFor({ apis }: Supplier, index: number): SampleApi {
  const api = apis[index % apis.length];
  if (!api) throw new Error('a supplier without APIs');
  return api;
}
