import {
  annotations,
  type APIServiceBinding,
  APIServiceBindings,
  bindingOwnerReference,
  finalizers,
} from '@klutch/api';
import { createSharedInformers, type Interceptor, silentLogger, systemClock } from '@klutch/kube';
import { noMetrics, runUnbind } from '@klutch/konnector/parts';
import { createFaults, eventually } from '@klutch/kube/testing';
import { expect, it, vi } from 'vitest';
import { openAsKonnector } from './konnector-rights.ts';
import { isBound, schemaWorld } from './schema-world.ts';
import {
  type AppSide,
  onBothTiers,
  recordWrites,
  type RecordedWrite,
  type SampleApi,
  sampleApi,
  widget,
} from './world.ts';

// Deadlines of single waits are to speak first, also on a machine that is busy with other files.
vi.setConfig({ testTimeout: 120_000 });

onBothTiers('what bindings leave behind', (clusters) => {
  const world = schemaWorld(clusters);
  const { open, definitions, crdOf } = world;
  const long = { withinMs: 30_000, everyMs: 20 };

  /** A bound API with objects that the konnector holds, one of which is terminating; and one that may be bound. */
  async function bound(policy?: 'Keep' | 'Remove' | 'Delete', interceptors?: readonly Interceptor[]) {
    const [api, other] = [sampleApi(), sampleApi()];
    const apis = [api, other];
    const opened = await open(apis);
    const { tenant, side, schema } = opened;
    await tenant.publish(api);
    const binding = await side.bind(api, { annotations: policy ? { [annotations.onUnbind]: policy } : {} });
    await isBound(schema, api);
    const { name: namespace } = (await side.namespace()).metadata;
    const objects = side.cluster.admin.resource(api.type);
    for (const [name, others] of [
      ['held', []],
      ['shared', ['example.org/other']],
      ['going', []],
    ] as const) {
      const object = widget(api, name, namespace, { size: 1 });
      const metadata = { ...object.metadata, finalizers: [finalizers.syncer, ...others] };
      await eventually(() => objects.create({ ...object, metadata }), { withinMs: 30_000, everyMs: 100 });
    }
    await objects.delete({ name: 'going', namespace });
    const unbind = startUnbind(side, apis, interceptors);
    return { ...opened, api, other, apis, binding, namespace, objects, unbind };
  }

  function startUnbind(
    side: AppSide,
    apis: readonly SampleApi[],
    interceptors: readonly Interceptor[] = [],
    unitsEnded: (binding: string) => Promise<void> = () => Promise.resolve(),
  ) {
    const writes: RecordedWrite[] = [];
    const stop = new AbortController();
    const running = (async () => {
      const client = await openAsKonnector(side, { apis }, [recordWrites('app', writes), ...interceptors]);
      const cluster = { client, informers: createSharedInformers(client, stop.signal) };
      const unbind = runUnbind({
        bindings: cluster,
        bindingType: APIServiceBindings,
        bindingNamespace: side.bindingNamespace,
        board: { report: () => {}, withdraw: () => {}, reportProvider: () => {} },
        app: cluster,
        clock: systemClock,
        log: silentLogger,
        metrics: noMetrics,
        unitsEnded,
        signal: stop.signal,
      });
      return { client, unbind, informers: cluster.informers };
    })();
    const end = async () => {
      stop.abort();
      const { client, unbind, informers } = await running;
      await Promise.all([unbind.stopped, informers.stopped]);
      await client.close();
    };
    world.atEnd(end);
    return { writes, end };
  }

  const deleteBinding = (side: AppSide, api: SampleApi) =>
    side.cluster.admin.resource(APIServiceBindings).delete({ namespace: side.bindingNamespace, name: api.name });
  const isReleased = (api: SampleApi) =>
    eventually(async () => {
      const crd = await crdOf(api);
      return crd.metadata.annotations?.[annotations.released] !== undefined && crd;
    }, long);

  it('KON-59 frees objects and releases the CRD when a binding is deleted', async () => {
    const { tenant, side, api, namespace, objects } = await bound();

    await deleteBinding(side, api);
    const { metadata } = await isReleased(api);

    expect(metadata.ownerReferences ?? []).toEqual([]);
    expect(metadata.annotations).toMatchObject({
      [annotations.released]: `${tenant.clusterNamespace}/${tenant.uid}`,
    });
    expect(metadata.annotations).not.toHaveProperty([annotations.boundIn]);
    const left = (await objects.list({ namespace })).items;
    expect(left.map((object) => [object.metadata.name, object.metadata.finalizers ?? []])).toEqual([
      ['held', []],
      ['shared', ['example.org/other']],
    ]);
    await objects.patch({ name: 'shared', namespace }, { type: 'merge', patch: { metadata: { finalizers: null } } });
  });

  it('KON-59 binds again what it released', async () => {
    const { side, schema, api } = await bound('Keep');
    const { uid } = (await crdOf(api)).metadata;
    await deleteBinding(side, api);
    await isReleased(api);

    const binding = await side.bind(api);
    await isBound(schema, api);
    await side.condition(api, 'Connected', 'True');

    const { metadata } = await crdOf(api);
    expect(metadata.uid).toBe(uid);
    expect(metadata.ownerReferences).toEqual([bindingOwnerReference(binding)]);
    expect(metadata.annotations).not.toHaveProperty([annotations.released]);
  });

  it('KON-59 removes the CRD and its objects when the binding said so', async () => {
    const { side, api, namespace, objects } = await bound('Remove');
    await objects.patch(
      { name: 'shared', namespace },
      { type: 'merge', patch: { metadata: { finalizers: [finalizers.syncer] } } },
    );

    await deleteBinding(side, api);

    await eventually(async () => (await definitions().find({ name: api.name })) === undefined, long);
  });

  it('KON-59 cleans up after a binding that was deleted while nobody looked', async () => {
    const { side, api, apis, unbind, end } = await bound();
    await unbind.end();
    await end();
    await deleteBinding(side, api);

    startUnbind(side, apis);
    await isReleased(api);
  });

  it('KON-59 carries on where it was cut off', async () => {
    const faults = createFaults();
    // Of two patches one is lost on its way there, and of the others the answer on its way back.
    let patches = 0;
    const isPatch = ({ method, path }: { method: string; path: string }) =>
      method === 'PATCH' && path.includes('/widgets/');
    faults.add({ when: (request) => isPatch(request) && (patches += 1) % 2 === 0, fault: { type: 'drop' }, times: 3 });
    faults.add({ when: isPatch, fault: { type: 'loseAnswer' }, times: 3 });
    faults.add({ when: ({ method }) => method === 'PUT', fault: { type: 'status', status: 409 }, times: 1 });
    const { side, api, namespace, objects } = await bound('Keep', [faults.interceptor]);

    await deleteBinding(side, api);
    await isReleased(api);

    const left = (await objects.list({ namespace })).items;
    expect(left.flatMap(({ metadata }) => metadata.finalizers ?? [])).not.toContain(finalizers.syncer);
  });

  it('KON-59 waits for what still synchronises the objects, which would hold them again', async () => {
    const { side, api, apis, binding, namespace, objects, unbind } = await bound();
    await unbind.end();
    const asked: string[] = [];
    let endUnit = () => {};
    const ended = new Promise<void>((resolve) => {
      endUnit = resolve;
    });
    const { writes } = startUnbind(side, apis, [], async (uid) => {
      asked.push(uid);
      await ended;
    });

    await deleteBinding(side, api);
    await eventually(() => asked.length > 0, long);

    expect(asked).toEqual([binding.metadata.uid]);
    expect(writes).toEqual([]);
    expect((await objects.get({ name: 'held', namespace })).metadata.finalizers).toEqual([finalizers.syncer]);
    endUnit();
    await isReleased(api);
    expect((await objects.get({ name: 'held', namespace })).metadata.finalizers ?? []).toEqual([]);
  });

  it('KON-59 touches nothing of bindings that are there, nor of other owners', async () => {
    const { tenant, side, schema, api, other, apis, namespace, objects, unbind } = await bound();
    const [foreign, elsewhere] = [sampleApi(), sampleApi()];
    await tenant.publish(other);
    await side.bind(other);
    await isBound(schema, other);
    const gone = { ...bindingOwnerReference(await side.binding(other)), uid: 'a-uid-that-nobody-has' };
    await definitions().create({
      ...foreign.crd,
      metadata: { ...foreign.crd.metadata, ownerReferences: [{ ...gone, name: foreign.name }] },
    });
    await definitions().create({
      ...elsewhere.crd,
      metadata: {
        ...elsewhere.crd.metadata,
        annotations: { [annotations.boundIn]: 'another-cluster/klutch-bind' },
        ownerReferences: [{ ...gone, name: elsewhere.name }],
      },
    });
    await unbind.end();
    const { writes } = startUnbind(side, apis);

    await deleteBinding(side, other);
    await isReleased(other);

    const paths = new Set(writes.map(({ path }) => path.split('?')[0]));
    expect([...paths]).toEqual([`/apis/apiextensions.k8s.io/v1/customresourcedefinitions/${other.name}`]);
    expect((await objects.get({ name: 'held', namespace })).metadata.finalizers).toEqual([finalizers.syncer]);
    expect((await crdOf(api)).metadata.ownerReferences).toHaveLength(1);
  });

  it('KON-59 deletes all objects first, and waits for their copies, when the binding said so', async () => {
    const { side, api, namespace, objects } = await bound('Delete');
    const bindings = side.cluster.admin.resource(APIServiceBindings);
    await eventually(async () => isHeld(await side.binding(api)), long);

    await deleteBinding(side, api);
    await eventually(
      async () => (await objects.get({ name: 'held', namespace })).metadata.deletionTimestamp !== undefined,
      long,
    );
    expect(await bindings.find({ namespace: side.bindingNamespace, name: api.name })).toBeDefined();

    // As the konnector does once the copies are gone.
    for (const name of ['held', 'shared', 'going']) {
      await objects.patch({ name, namespace }, { type: 'merge', patch: { metadata: { finalizers: null } } });
    }
    await eventually(
      async () => (await bindings.find({ namespace: side.bindingNamespace, name: api.name })) === undefined,
      long,
    );
    await eventually(async () => (await definitions().find({ name: api.name })) === undefined, long);
  });

  it('KON-59 keeps everything when the binding that said Delete takes it back in time', async () => {
    const { side, api, namespace, objects, end } = await bound('Delete');
    await end();
    await eventually(async () => isHeld(await side.binding(api)), long);
    const bindings = side.cluster.admin.resource(APIServiceBindings);
    const ref = { namespace: side.bindingNamespace, name: api.name };

    await bindings.patch(ref, {
      type: 'merge',
      patch: { metadata: { annotations: { [annotations.onUnbind]: 'Keep' } } },
    });
    await eventually(async () => !isHeld(await side.binding(api)), long);
    await deleteBinding(side, api);
    await isReleased(api);

    expect((await objects.get({ name: 'held', namespace })).metadata.deletionTimestamp).toBeUndefined();
  });
});

function isHeld({ metadata }: APIServiceBinding): boolean {
  return metadata.finalizers?.includes(finalizers.unbind) ?? false;
}
