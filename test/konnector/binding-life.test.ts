import {
  annotations,
  APIServiceBindings,
  APIServiceNamespaces,
  apiVersion,
  boundValue,
  CustomResourceDefinitions,
  finalizers,
} from '@klutch/api';
import { type UnknownObject } from '@klutch/kube';
import { eventually } from '@klutch/kube/testing';
import { afterEach, expect, it, vi } from 'vitest';
import { runKonnector, type TestKonnectorOptions } from './run-konnector.ts';
import {
  type AppSide,
  createTenant,
  installCrd,
  onBothTiers,
  openAppSide,
  type SampleApi,
  sampleApi,
  stayQuiet,
  type TestTenant,
  widget,
} from './world.ts';

const soon = { withinMs: 60_000, everyMs: 50 };

// Deadlines of single waits are to speak first, also on a machine that is busy with other files.
vi.setConfig({ testTimeout: 180_000 });

onBothTiers('the life of a binding', (clusters) => {
  const endings: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const end of endings.splice(0).reverse()) await end();
  });

  async function world() {
    const tenant = await createTenant(clusters().controlPlane);
    endings.push(() => tenant.close());
    const side = await openAppSide(clusters().app);
    await side.storeKubeconfig(await tenant.offered());
    return { tenant, side };
  }

  async function started(side: AppSide, options: TestKonnectorOptions) {
    const konnector = await runKonnector(side, options);
    endings.push(() => konnector.stop());
    return konnector;
  }

  const onControlPlane = (api: SampleApi) => clusters().controlPlane.admin.resource(api.type);
  const inAppCluster = (api: SampleApi) => clusters().app.admin.resource(api.type);
  const definitions = () => clusters().app.admin.resource(CustomResourceDefinitions);

  /** Creates an object in the app cluster and waits for its copy. */
  async function carried(tenant: TestTenant, api: SampleApi, name: string, namespace: string): Promise<UnknownObject> {
    await eventually(() => inAppCluster(api).create(widget(api, name, namespace, { size: 1 })), soon);
    const service = await tenant.serviceNamespace(namespace);
    return await eventually(() => onControlPlane(api).find({ name, namespace: service }), soon);
  }

  async function resize(api: SampleApi, name: string, namespace: string, size: number): Promise<void> {
    await inAppCluster(api).patch({ name, namespace }, { type: 'merge', patch: { spec: { size } } });
  }

  const sizeOf = (object: UnknownObject) => (object['spec'] as { size: number }).size;
  const hasSize = (api: SampleApi, copy: UnknownObject, size: number) =>
    eventually(async () => sizeOf(await sameCopy(api, copy)) === size, soon);
  const sameCopy = (api: SampleApi, { metadata }: UnknownObject) =>
    onControlPlane(api).get({ name: metadata.name ?? '', namespace: metadata.namespace });

  it('KON-11 goes on synchronising across a schema change, without loss', async () => {
    const { tenant, side } = await world();
    const api = sampleApi();
    await tenant.publish(api);
    await side.bind(api);
    await started(side, { apis: [api] });
    await side.condition(api, 'SchemaInSync', 'True');
    const { name: namespace } = (await side.namespace()).metadata;
    const copy = await carried(tenant, api, 'w', namespace);

    await tenant.publish(sampleApi({ group: api.type.group, properties: { colour: { type: 'string' } } }));
    const hasColour = async () => {
      const patched = await inAppCluster(api).patch(
        { name: 'w', namespace },
        { type: 'merge', patch: { spec: { colour: 'red' } } },
      );
      return JSON.stringify(patched['spec']).includes('red');
    };
    await eventually(hasColour, soon);
    await eventually(async () => (await sameCopy(api, copy))['spec'], soon);

    await eventually(async () => {
      const { metadata, spec } = await sameCopy(api, copy);
      expect(spec).toEqual({ size: 1, colour: 'red' });
      expect(metadata.uid).toBe(copy.metadata.uid);
      return true;
    }, soon);
  });

  it('KON-10 neither synchronises nor deletes objects of a foreign CRD', async () => {
    const { tenant, side } = await world();
    const [foreign, own] = [sampleApi(), sampleApi()];
    await installCrd(side.cluster.admin, foreign.crd);
    await tenant.publish(foreign);
    await tenant.publish(own);
    const { name: namespace } = (await side.namespace()).metadata;
    await clusters()
      .controlPlane.admin.resource(APIServiceNamespaces)
      .create({
        apiVersion,
        kind: 'APIServiceNamespace',
        metadata: { name: namespace, namespace: tenant.clusterNamespace },
        spec: {},
      });
    const service = await tenant.serviceNamespace(namespace);
    const object = await eventually(
      () => inAppCluster(foreign).create(widget(foreign, 'here', namespace, { size: 1 })),
      soon,
    );
    const theirs = widget(foreign, 'there', service, { size: 1 });
    const copy = await eventually(
      () =>
        onControlPlane(foreign).create({
          ...theirs,
          metadata: { ...theirs.metadata, annotations: { [annotations.bound]: boundValue } },
        }),
      soon,
    );

    await side.bind(foreign);
    await side.bind(own);
    await started(side, { apis: [foreign, own] });
    await side.condition(foreign, 'Connected', 'False', 'ForeignCustomResourceDefinition');
    // The one that is bound shows that the konnector had its chance.
    await side.condition(own, 'Connected', 'True');
    await carried(tenant, own, 'proof', namespace);

    expect(await inAppCluster(foreign).get({ name: 'here', namespace })).toEqual(object);
    expect(await sameCopy(foreign, copy)).toEqual(copy);
    expect((await onControlPlane(foreign).list({ namespace: service })).items).toHaveLength(1);
    expect((await inAppCluster(foreign).list({ namespace })).items).toHaveLength(1);
  });

  it('KON-58 stops synchronising an API whose binding is deleted', async () => {
    const { tenant, side } = await world();
    const [api, other] = [sampleApi(), sampleApi()];
    for (const one of [api, other]) {
      await tenant.publish(one);
      await side.bind(one);
    }
    await started(side, { apis: [api, other] });
    const { name: namespace } = (await side.namespace()).metadata;
    const [copy, otherCopy] = [
      await carried(tenant, api, 'w', namespace),
      await carried(tenant, other, 'w', namespace),
    ];

    await unbind(side, api);
    await isFreed(api, namespace);
    await resize(api, 'w', namespace, 5);
    await resize(other, 'w', namespace, 7);
    await hasSize(other, otherCopy, 7);

    expect(sizeOf(await sameCopy(api, copy))).toBe(1);
  });

  it('KON-59 leaves nothing running and nothing held, and binds again', async () => {
    const { tenant, side } = await world();
    const api = sampleApi();
    await tenant.publish(api);
    await side.bind(api);
    const konnector = await started(side, { apis: [api] });
    const { name: namespace } = (await side.namespace()).metadata;
    const copy = await carried(tenant, api, 'w', namespace);

    await unbind(side, api);
    await isFreed(api, namespace);
    await eventually(async () => {
      const { metadata } = await definitions().get({ name: api.name });
      return metadata.annotations?.[annotations.released] !== undefined;
    }, soon);
    const count = konnector.writes.length;
    await stayQuiet(1_000);
    expect(konnector.writes.slice(count).filter(({ path }) => !path.includes('/leases/'))).toEqual([]);

    await side.bind(api);
    await side.condition(api, 'Connected', 'True');
    await resize(api, 'w', namespace, 3);
    await hasSize(api, copy, 3);
    expect((await sameCopy(api, copy)).metadata.uid).toBe(copy.metadata.uid);
  });

  it('KON-60 lets users delete their objects when the export is gone', async () => {
    const { tenant, side } = await world();
    const api = sampleApi();
    await tenant.publish(api);
    await side.bind(api);
    await started(side, { apis: [api] });
    const { name: namespace } = (await side.namespace()).metadata;
    const copy = await carried(tenant, api, 'w', namespace);

    await tenant.withdraw(api);
    await side.condition(api, 'Connected', 'False', 'APIServiceExportNotFound');
    await inAppCluster(api).delete({ name: 'w', namespace });

    await eventually(async () => (await inAppCluster(api).find({ name: 'w', namespace })) === undefined, soon);
    const { name = '', namespace: service } = copy.metadata;
    expect(await onControlPlane(api).find({ name, namespace: service })).toBeUndefined();
  });

  async function unbind(side: AppSide, api: SampleApi): Promise<void> {
    await clusters()
      .app.admin.resource(APIServiceBindings)
      .delete({ namespace: side.bindingNamespace, name: api.name });
  }

  /** Waits until the konnector no longer holds an object. */
  async function isFreed(api: SampleApi, namespace: string): Promise<void> {
    await eventually(async () => {
      const { metadata } = await inAppCluster(api).get({ name: 'w', namespace });
      return !metadata.finalizers?.includes(finalizers.syncer);
    }, soon);
  }
});
