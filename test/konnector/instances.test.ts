import { annotations, controlPlane, fieldManager, finalizers } from '@klutch/api';
import { Events, type Interceptor, type ResourceType, type UnknownObject } from '@klutch/kube';
import { eventually } from '@klutch/kube/testing';
import { expect, it } from 'vitest';
import { instancesWorlds } from './instances-world.ts';
import { installCrd, onBothTiers, sampleApi, stayQuiet, widget } from './world.ts';

const RoleBindings: ResourceType = {
  group: 'rbac.authorization.k8s.io',
  version: 'v1',
  plural: 'rolebindings',
  kind: 'RoleBinding',
  namespaced: true,
};

const specOf = (object: UnknownObject) => object['spec'] as Record<string, unknown>;

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

  it('KON-30 shows why the control plane refuses an object, and sends it when it can be accepted', async () => {
    const api = sampleApi();
    const w = await world({ api });
    const { name: namespace } = (await w.side.namespace()).metadata;
    const ref = { namespace, name: 'db' };
    const strict = structuredClone(api.crd);
    const [version] = strict.spec.versions;
    const schema = version?.schema?.openAPIV3Schema as { properties: { spec: { properties: Record<string, object> } } };
    schema.properties.spec.properties['size'] = { type: 'integer', minimum: 1, maximum: 3 };
    await installCrd(clusters().controlPlane.admin, strict);
    await eventually(async () => {
      const probe = widget(api, 'probe', w.tenant.clusterNamespace, { size: 9 });
      return w.controlPlane.create(probe, { dryRun: true }).then(
        () => false,
        () => true,
      );
    });

    await w.create('db', namespace, { size: 9 });
    const refused = await w.original(ref, (object) => conditionOf(object) !== undefined);
    expect(conditionOf(refused)).toMatchObject({
      status: 'False',
      reason: 'Rejected',
      message: expect.stringMatching(/spec\.size.*less than or equal to 3/) as string,
    });
    await w.link.events.flush();
    const events = await w.side.cluster.admin.resource(Events).list({ namespace });
    expect(events.items.map(({ type, reason }) => `${type} ${reason}`)).toEqual(['Warning Rejected']);

    await w.app.patch(ref, { type: 'merge', patch: { spec: { size: 2 } } });
    await w.copy(ref, (object) => specOf(object)['size'] === 2);
    await w.original(ref, (object) => conditionOf(object) === undefined);
  });

  it('KON-34 lets only the objects of a namespace wait that has no counterpart, and says so on them', async () => {
    const w = await world();
    const stuck = (await w.side.namespace('stuck')).metadata.name;
    const fine = (await w.side.namespace('fine')).metadata.name;
    const letGo = w.tenant.hold(stuck);

    await w.create('a', stuck, { size: 1 });
    await w.create('b', fine, { size: 1 });
    await w.copy({ namespace: fine, name: 'b' });
    const again = await w.restart();
    await again.create('c', fine, { size: 1 });
    await again.copy({ namespace: fine, name: 'c' });
    const waiting = await again.original(
      { namespace: stuck, name: 'a' },
      (object) => conditionOf(object) !== undefined,
    );

    expect(conditionOf(waiting)).toMatchObject({ reason: 'NamespaceNotReady' });
    expect(waiting.metadata.finalizers).toBeUndefined();
    await eventually(() => again.reported.get('InstancesSynced')?.reason === 'NamespacesWaiting');
    letGo();
    await again.copy({ namespace: stuck, name: 'a' });
    await again.original({ namespace: stuck, name: 'a' }, (object) => conditionOf(object) === undefined);
    await eventually(() => again.reported.get('InstancesSynced')?.status === 'True');
  });

  it('KON-34 lets only the objects of a namespace wait that may not be read', async () => {
    const w = await world();
    const closed = (await w.side.namespace('closed')).metadata.name;
    const fine = (await w.side.namespace('fine')).metadata.name;
    await w.create('a', closed, { size: 1 });
    await w.create('b', fine, { size: 1 });
    const { metadata } = await w.copy({ namespace: closed, name: 'a' });
    await w.copy({ namespace: fine, name: 'b' });
    await w.stop();
    const bindings = clusters().controlPlane.admin.resource(RoleBindings);
    const grant = { namespace: metadata.namespace, name: controlPlane.binder };
    const { roleRef, subjects } = await bindings.get(grant);
    await bindings.delete(grant);

    const again = await w.restart();
    await again.app.patch({ namespace: closed, name: 'a' }, { type: 'merge', patch: { spec: { size: 2 } } });
    await again.app.patch({ namespace: fine, name: 'b' }, { type: 'merge', patch: { spec: { size: 2 } } });
    await again.copy({ namespace: fine, name: 'b' }, (copy) => specOf(copy)['size'] === 2);
    const waiting = await again.original(
      { namespace: closed, name: 'a' },
      (object) => conditionOf(object) !== undefined,
    );
    expect(conditionOf(waiting)).toMatchObject({
      reason: 'ControlPlaneUnreadable',
      message: expect.stringContaining('forbidden') as string,
    });

    const made = {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'RoleBinding',
      metadata: grant,
      roleRef,
      subjects,
    };
    await bindings.create(made);
    await again.copy({ namespace: closed, name: 'a' }, (copy) => specOf(copy)['size'] === 2);
    await again.original({ namespace: closed, name: 'a' }, (object) => conditionOf(object) === undefined);
  }, 120_000);

  it('KON-54 catches up with everything after an outage of the control plane', async () => {
    const w = await world();
    const { name: namespace } = (await w.side.namespace()).metadata;
    const names = ['a', 'b', 'c'];
    for (const name of names) await w.create(name, namespace, { size: 1 });
    for (const name of names) await w.copy({ namespace, name });
    await w.quiet();

    w.tenant.door.shut();
    await w.app.patch({ namespace, name: 'a' }, { type: 'merge', patch: { spec: { size: 2 } } });
    await w.app.delete({ namespace, name: 'b' });
    await w.create('d', namespace, { size: 4 });
    await stayQuiet(3_000);
    expect((await w.app.get({ namespace, name: 'b' })).metadata.deletionTimestamp).toBeDefined();
    w.tenant.door.open();

    await w.copy({ namespace, name: 'a' }, (copy) => specOf(copy)['size'] === 2);
    await w.copy({ namespace, name: 'd' });
    await w.gone(w.app, { namespace, name: 'b' });
    await w.gone(w.controlPlane, await w.place({ namespace, name: 'b' }));
    await w.copy({ namespace, name: 'c' });
  }, 120_000);

  it('KON-35 says at once that a namespace can never have a counterpart', async () => {
    const w = await world();
    const { name: namespace } = (await w.side.namespace()).metadata;
    w.namespaces.mapped(namespace, { state: 'refused', problem: 'Its name is too long by 5 characters.' });

    await w.create('db', namespace, { size: 1 });

    const refused = await w.original({ namespace, name: 'db' }, (object) => conditionOf(object) !== undefined);
    expect(conditionOf(refused)).toMatchObject({
      reason: 'NamespaceRefused',
      message: 'Its name is too long by 5 characters.',
    });
    await w.app.delete({ namespace, name: 'db' });
    await w.gone(w.app, { namespace, name: 'db' });
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

function conditionOf(object: UnknownObject): object | undefined {
  const { conditions = [] } = (object['status'] ?? {}) as { conditions?: { type: string }[] };
  return conditions.find(({ type }) => type === 'KlutchSynced');
}
