import { controlPlane } from '@klutch/api';
import { Events, type KubeClient, type ResourceType } from '@klutch/kube';
import { eventually } from '@klutch/kube/testing';
import { expect, it } from 'vitest';
import { ResourceQuotas, tenantQuota } from '../../packages/backend/src/quotas/resource-quota.ts';
import { instancesWorlds, specOf, syncedCondition as conditionOf } from './instances-world.ts';
import { installCrd, onBothTiers, sampleApi, stayQuiet, widget } from './world.ts';

const RoleBindings: ResourceType = {
  group: 'rbac.authorization.k8s.io',
  version: 'v1',
  plural: 'rolebindings',
  kind: 'RoleBinding',
  namespaced: true,
};

onBothTiers('instances that wait', (clusters) => {
  const world = instancesWorlds(clusters);

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

  it('KON-30 says what to do about a quota that is used up, and sends the object when there is a place', async () => {
    const w = await world();
    const { name: namespace } = (await w.side.namespace()).metadata;
    await w.create('first', namespace, { size: 1 });
    const place = await w.copy({ namespace, name: 'first' });
    await limitTo(clusters().controlPlane.admin, place.metadata.namespace ?? '', `count/${w.api.name}`, 1);

    await w.create('second', namespace, { size: 1 });
    const refused = await w.original({ namespace, name: 'second' }, (object) => conditionOf(object) !== undefined);
    expect(conditionOf(refused)).toMatchObject({
      reason: 'Rejected',
      message: expect.stringMatching(
        /exceeded quota: klutch-tenant.*\. Delete claims in this namespace that are no longer needed, or ask the provider to raise the limit\.$/,
      ) as string,
    });

    await w.app.delete({ namespace, name: 'first' });
    await w.copy({ namespace, name: 'second' });
    await w.original({ namespace, name: 'second' }, (object) => conditionOf(object) === undefined);
  }, 150_000);

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
});

/** A quota of one type that is in force. Kubernetes learns of new types by and by, and looks at a quota when its limits change. */
async function limitTo(admin: KubeClient, namespace: string, name: string, limit: number): Promise<void> {
  const quotas = admin.resource(ResourceQuotas);
  const place = { namespace, name: tenantQuota };
  const hardOf = (amount: number) => ({ spec: { hard: { [name]: String(amount) } } });
  await quotas.create({ apiVersion: 'v1', kind: 'ResourceQuota', metadata: place, ...hardOf(99) });
  let turn = 99;
  await eventually(
    async () => {
      turn += 1;
      const { status } = await quotas.patch(place, { type: 'merge', patch: hardOf(turn) });
      return status?.used?.[name] !== undefined;
    },
    { withinMs: 90_000, everyMs: 500 },
  );
  await quotas.patch(place, { type: 'merge', patch: hardOf(limit) });
  await eventually(async () => (await quotas.get(place)).status?.hard?.[name] === String(limit), { withinMs: 30_000 });
}
