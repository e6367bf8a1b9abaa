import { annotations, fieldManager, finalizers } from '@klutch/api';
import type { Interceptor } from '@klutch/kube';
import { expect, it } from 'vitest';
import { instancesWorlds, specOf } from './instances-world.ts';
import { onBothTiers, sampleApi, stayQuiet, widget } from './world.ts';

onBothTiers('instances', (clusters) => {
  const world = instancesWorlds(clusters);

  it('KON-17 creates the copy in the service namespace, without what belongs to the app cluster', async () => {
    const w = await world();
    const { name: namespace } = (await w.side.namespace()).metadata;
    const original = await w.create('db', namespace, { size: 1, tags: ['a'] });

    const copy = await w.copy({ namespace, name: 'db' });
    const after = await w.original({ namespace, name: 'db' }, ({ metadata }) => metadata.finalizers !== undefined);

    expect(specOf(copy)).toEqual({ size: 1, tags: ['a'] });
    expect(copy.metadata.namespace).toBe(await w.tenant.serviceNamespace(namespace));
    expect(copy.metadata.annotations).toMatchObject({
      [annotations.bound]: 'true',
      [annotations.clusterNamespace]: w.tenant.clusterNamespace,
      [annotations.sourceCluster]: w.side.cluster.id,
      [annotations.sourceUid]: original.metadata.uid,
    });
    expect(copy.metadata).not.toHaveProperty('ownerReferences');
    expect(copy.metadata).not.toHaveProperty('finalizers');
    expect(copy).not.toHaveProperty('status');
    expect(copy.metadata.uid).not.toBe(original.metadata.uid);
    expect(copy.metadata.managedFields).toEqual([
      expect.objectContaining({ manager: fieldManager, operation: 'Apply' }),
    ]);
    expect(after.metadata.finalizers).toEqual([finalizers.syncer]);
    expect(after.metadata.annotations).toEqual({ [annotations.bound]: 'true' });
    await w.quiet();
    const own = w.writes.filter(({ path }) => path.includes('/widgets'));
    expect(own.map(({ side, method }) => `${side} ${method}`)).toEqual(['app PATCH', 'control-plane PATCH']);
  });

  it('KON-18 KON-20 carries changes of the spec up, and removed fields away', async () => {
    const w = await world();
    const { name: namespace } = (await w.side.namespace()).metadata;
    const ref = { namespace, name: 'db' };
    await w.create('db', namespace, { size: 1, plan: 'small', params: { a: '1', b: '2' } });
    await w.copy(ref);

    await w.app.patch(ref, { type: 'merge', patch: { spec: { size: 2, plan: null, params: { b: null } } } });

    const copy = await w.copy(ref, (object) => specOf(object)['size'] === 2);
    expect(specOf(copy)).toEqual({ size: 2, params: { a: '1' } });
  });

  it('KON-20 empties a map, and fills it again', async () => {
    const w = await world();
    const { name: namespace } = (await w.side.namespace()).metadata;
    const ref = { namespace, name: 'db' };
    await w.create('db', namespace, { size: 1, params: { a: '1', b: '2' } });
    await w.copy(ref);

    await w.app.patch(ref, { type: 'merge', patch: { spec: { size: 2, params: { a: null, b: null } } } });
    const emptied = await w.copy(ref, (object) => specOf(object)['size'] === 2);
    await w.app.patch(ref, { type: 'merge', patch: { spec: { size: 3, params: { c: '3' } } } });
    const filled = await w.copy(ref, (object) => specOf(object)['size'] === 3);

    expect([specOf(emptied), specOf(filled)]).toEqual([
      { size: 2, params: {} },
      { size: 3, params: { c: '3' } },
    ]);
  });

  it('KON-19 takes back what somebody else changes, keeps what somebody else adds, and then rests', async () => {
    const w = await world();
    const { name: namespace } = (await w.side.namespace()).metadata;
    const ref = { namespace, name: 'db' };
    await w.create('db', namespace, { size: 1, params: { a: '1' } });
    const { metadata } = await w.copy(ref);
    const place = { namespace: metadata.namespace, name: 'db' };

    await w.controlPlane.patch(place, {
      type: 'merge',
      patch: { spec: { resourceRef: { name: 'xr' }, params: { z: '9' } } },
    });
    await w.quiet();
    const before = w.writes.length;
    await w.controlPlane.patch(place, { type: 'merge', patch: { spec: { size: 7 } } });

    const copy = await w.copy(ref, (object) => specOf(object)['size'] === 1);
    expect(specOf(copy)).toEqual({ size: 1, params: { a: '1', z: '9' }, resourceRef: { name: 'xr' } });
    await w.quiet();
    expect(w.writes.slice(before).map(({ side, method }) => `${side} ${method}`)).toEqual(['control-plane PATCH']);
  });

  it('KON-19 does not fight over what the control plane insists on', async () => {
    const listed = { type: 'array', 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['name'] };
    const items = {
      type: 'object',
      required: ['name'],
      properties: { name: { type: 'string' }, value: { type: 'string' } },
    };
    const w = await world({ api: sampleApi({ properties: { settings: { ...listed, items } } }) });
    const { name: namespace } = (await w.side.namespace()).metadata;
    const ref = { namespace, name: 'db' };
    await w.create('db', namespace, { size: 1, settings: [{ name: 'mine' }] });
    const { metadata } = await w.copy(ref);
    const theirs = { ...widget(w.api, 'db', metadata.namespace, { settings: [{ name: 'theirs', value: 'x' }] }) };

    await w.controlPlane.apply(theirs, { fieldManager: 'provider' });
    await w.quiet();
    const settled = w.writes.length;
    await w.app.patch(ref, { type: 'merge', patch: { metadata: { annotations: { 'kubectl.kubernetes.io/x': 'y' } } } });
    await w.quiet();

    expect(w.writes.slice(settled)).toEqual([]);
    const names = (specOf(await w.copy(ref))['settings'] as { name: string }[]).map(({ name }) => name).sort();
    expect(names).toEqual(['mine', 'theirs']);
  });

  it('KON-20 KON-28 takes over what the Go konnector made, and removes fields that it had set', async () => {
    const w = await world();
    const { name: namespace } = (await w.side.namespace()).metadata;
    await w.create('first', namespace, { size: 1 });
    const { metadata } = await w.copy({ namespace, name: 'first' });
    await w.stop();
    const ref = { namespace, name: 'db' };
    const annotated = { annotations: { [annotations.bound]: 'true', 'example.org/note': 'x' } };
    await w.create('db', namespace, { size: 1, plan: 'small' }, { finalizers: [finalizers.syncer], ...annotated });
    const copyOfGo = widget(w.api, 'db', metadata.namespace, { size: 1, plan: 'small', params: { old: 'x' } });
    const made = await w.controlPlane.create(
      { ...copyOfGo, metadata: { ...copyOfGo.metadata, ...annotated, labels: { 'app.kubernetes.io/name': 'x' } } },
      { fieldManager: 'konnector' },
    );
    await w.controlPlane.patch(
      { namespace: metadata.namespace, name: 'db' },
      { type: 'merge', patch: { spec: { resourceRef: { name: 'xr' } } } },
      { fieldManager: 'crossplane' },
    );

    const again = await w.restart();
    const taken = await again.copy(ref, (copy) => copy.metadata.annotations?.[annotations.sourceUid] !== undefined);
    await again.app.patch(ref, { type: 'merge', patch: { spec: { plan: null } } });
    const copy = await again.copy(ref, (object) => specOf(object)['plan'] === undefined);

    expect(taken.metadata.uid).toBe(made.metadata.uid);
    expect(specOf(copy)).toEqual({ size: 1, resourceRef: { name: 'xr' } });
    expect(copy.metadata.labels).toBeUndefined();
    const managers = copy.metadata.managedFields as { manager: string; operation: string }[];
    expect(managers.map(({ manager, operation }) => `${manager} ${operation}`).sort()).toEqual([
      'crossplane Update',
      `${fieldManager} Apply`,
    ]);
    await again.quiet();
    const own = again.writes.filter(({ path }) => path.includes('/db'));
    expect(own.map(({ side, method }) => `${side} ${method}`)).toEqual(Array(3).fill('control-plane PATCH'));
  });

  it('KON-21 shows the status of the control plane, and nothing once that has none', async () => {
    const w = await world();
    const { name: namespace } = (await w.side.namespace()).metadata;
    const ref = { namespace, name: 'db' };
    await w.create('db', namespace, { size: 1 });
    const { metadata } = await w.copy(ref);
    const place = { namespace: metadata.namespace, name: 'db' };
    const setStatus = (status: object | null) =>
      w.controlPlane.patch(place, { type: 'merge', patch: { status } }, { subresource: 'status' });
    const ready = { type: 'Ready', status: 'True', reason: 'Available', lastTransitionTime: '2026-01-01T00:00:00Z' };

    await setStatus({ phase: 'Running', conditions: [ready], deep: { a: 1, b: 2 } });
    const first = await w.original(ref, (object) => object['status'] !== undefined);
    await setStatus({ phase: 'Updating', deep: { b: null } });
    const second = await w.original(ref, (object) => (object['status'] as { phase?: string })?.phase === 'Updating');
    await setStatus(null);
    const third = await w.original(ref, (object) => Object.keys(object['status'] ?? {}).length === 0);

    expect(first['status']).toEqual({ phase: 'Running', conditions: [ready], deep: { a: 1, b: 2 } });
    expect(second['status']).toEqual({ phase: 'Updating', conditions: [ready], deep: { a: 1 } });
    expect(specOf(third)).toEqual({ size: 1 });
  });

  it('KON-22 works for an API without status subresource', async () => {
    const w = await world({ api: sampleApi({ statusSubresource: false }), bound: { statusSubresource: false } });
    const { name: namespace } = (await w.side.namespace()).metadata;
    const ref = { namespace, name: 'db' };
    await w.create('db', namespace, { size: 1 });
    const { metadata } = await w.copy(ref);
    const place = { namespace: metadata.namespace, name: 'db' };

    await w.controlPlane.patch(place, { type: 'merge', patch: { status: { phase: 'Running' } } });
    await w.original(ref, (object) => (object['status'] as { phase?: string })?.phase === 'Running');
    await w.app.patch(ref, { type: 'merge', patch: { spec: { size: 3 } } });
    const copy = await w.copy(ref, (object) => specOf(object)['size'] === 3);

    expect(copy['status']).toEqual({ phase: 'Running' });
    await w.quiet();
    const before = w.writes.length;
    await stayQuiet(1_000);
    expect(w.writes.length).toBe(before);
  });

  it('KON-23 creates the copy again when somebody deletes it', async () => {
    const w = await world();
    const { name: namespace } = (await w.side.namespace()).metadata;
    const ref = { namespace, name: 'db' };
    await w.create('db', namespace, { size: 1 });
    const { metadata } = await w.copy(ref);

    await w.controlPlane.delete({ namespace: metadata.namespace, name: 'db' });

    const again = await w.copy(ref, (copy) => copy.metadata.uid !== metadata.uid);
    expect(specOf(again)).toEqual({ size: 1 });
    expect((await w.original(ref)).metadata.deletionTimestamp).toBeUndefined();
  });

  it('KON-28 takes over an object of the same name that was there before', async () => {
    const w = await world();
    const { name: namespace } = (await w.side.namespace()).metadata;
    await w.create('first', namespace, { size: 1 });
    const { metadata } = await w.copy({ namespace, name: 'first' });
    await w.stop();
    const there = await w.controlPlane.create(widget(w.api, 'db', metadata.namespace, { size: 5, plan: 'kept' }));
    await w.create('db', namespace, { size: 1 });

    const again = await w.restart();
    const copy = await again.copy({ namespace, name: 'db' }, (object) => specOf(object)['size'] === 1);

    expect(copy.metadata.uid).toBe(there.metadata.uid);
    expect(specOf(copy)).toEqual({ size: 1, plan: 'kept' });
  });

  it('KON-29 carries allowed labels and annotations up, and internal ones never', async () => {
    const w = await world({ metadata: { labels: ['team', 'cost-*'], annotations: ['*'] } });
    const { name: namespace } = (await w.side.namespace()).metadata;
    const ref = { namespace, name: 'db' };
    await w.create('db', namespace, { size: 1 }, { labels: { team: 'a', other: 'x', 'cost-center': '7' } });
    const first = await w.copy(ref);

    const internal = { 'kubectl.kubernetes.io/last-applied-configuration': '{}', 'crossplane.io/paused': 'true' };
    await w.app.patch(ref, {
      type: 'merge',
      patch: {
        metadata: {
          labels: { team: 'b', 'cost-center': null },
          annotations: { 'example.org/note': 'hi', ...internal },
        },
      },
    });

    const copy = await w.copy(ref, (object) => object.metadata.labels?.['team'] === 'b');
    expect(first.metadata.labels).toEqual({ team: 'a', 'cost-center': '7' });
    expect(copy.metadata.labels).toEqual({ team: 'b' });
    const foreign = Object.keys(copy.metadata.annotations ?? {}).filter(
      (key) => !key.startsWith('klutch.anynines.com/'),
    );
    expect(foreign).toEqual(['example.org/note']);
  });

  it('KON-32 stays at rest when users change annotations that do not travel', async () => {
    const w = await world();
    const { name: namespace } = (await w.side.namespace()).metadata;
    const ref = { namespace, name: 'db' };
    await w.create('db', namespace, { size: 1 });
    await w.copy(ref);
    await w.quiet();
    const before = w.writes.length;

    const applied = { 'kubectl.kubernetes.io/last-applied-configuration': '{"x":1}' };
    await w.app.patch(ref, { type: 'merge', patch: { metadata: { annotations: applied } } });

    await w.quiet();
    expect(w.writes.length).toBe(before);
  });

  it('KON-36 never asks for anything outside the service namespaces', async () => {
    const asked: string[] = [];
    const listen: Interceptor = (next) => (request) => {
      asked.push(`${request.method} ${request.path.split('?')[0]}`);
      return next(request);
    };
    const w = await world({ controlPlaneInterceptors: [listen] });
    const { name: namespace } = (await w.side.namespace()).metadata;
    const ref = { namespace, name: 'db' };
    await w.create('db', namespace, { size: 1 });
    await w.copy(ref);
    await w.app.delete(ref);
    await w.gone(w.app, ref);

    const service = await w.tenant.serviceNamespace(namespace);
    const outside = asked.filter((one) => !one.includes(`/namespaces/${w.tenant.clusterNamespace}/`));
    const group = `/apis/${w.api.type.group}/v1`;
    expect(new Set(outside)).toEqual(
      new Set([
        `GET ${group}/namespaces/${service}/widgets`,
        `PATCH ${group}/namespaces/${service}/widgets/db`,
        `DELETE ${group}/namespaces/${service}/widgets/db`,
      ]),
    );
  });

  it('sends no write at rest, also after a restart', async () => {
    const w = await world();
    const { name: namespace } = (await w.side.namespace()).metadata;
    for (let index = 0; index < 20; index++) await w.create(`db-${index}`, namespace, { size: 1, tags: [`${index}`] });
    const { metadata } = await w.copy({ namespace, name: 'db-19' });
    const place = { namespace: metadata.namespace, name: 'db-19' };
    await w.controlPlane.patch(place, { type: 'merge', patch: { status: { a: 1 } } }, { subresource: 'status' });
    await w.original({ namespace, name: 'db-19' }, (object) => object['status'] !== undefined);
    await w.quiet();

    const again = await w.restart();
    await again.quiet();

    expect(w.writes.filter(({ path }) => path.includes('/widgets'))).toHaveLength(41);
    expect(again.writes).toEqual([]);
  });

  it('carries an object that changes hands between versions of the API without losing it', async () => {
    const w = await world({ api: sampleApi({ versions: ['v1', 'v2'] }) });
    const { name: namespace } = (await w.side.namespace()).metadata;
    const ref = { namespace, name: 'db' };
    await w.create('db', namespace, { size: 1, plan: 'x' });
    const { metadata } = await w.copy(ref);

    const type = { ...w.api.type, version: 'v2' };
    w.instances.update({ ...w.bound, appType: type, controlPlaneType: type });
    await w.app.patch(ref, { type: 'merge', patch: { spec: { size: 2, plan: null } } });

    const copy = await w.copy(ref, (object) => specOf(object)['size'] === 2);
    expect(specOf(copy)).toEqual({ size: 2 });
    expect(copy.metadata.uid).toBe(metadata.uid);
  });
});
