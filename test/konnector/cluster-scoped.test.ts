import { annotations } from '@klutch/api';
import { eventually } from '@klutch/kube/testing';
import { expect, it } from 'vitest';
import { instancesWorlds, specOf, syncedCondition as conditionOf } from './instances-world.ts';
import { onBothTiers, sampleApi, stayQuiet, unique, widget } from './world.ts';

const clusterScoped = () => sampleApi({ scope: 'Cluster' });

onBothTiers('cluster-scoped instances', (clusters) => {
  const world = instancesWorlds(clusters);

  it('KON-37 puts the copy under a name with prefix, marked with its tenant', async () => {
    const w = await world({ api: clusterScoped() });
    const { clusterNamespace, uid } = w.tenant;
    await w.create('db', undefined, { size: 1 });

    const copy = await w.copy({ name: 'db' });

    expect(copy.metadata.name).toBe(`${clusterNamespace}-db`);
    expect(copy.metadata.annotations).toMatchObject({
      [annotations.bound]: 'true',
      [annotations.clusterNamespace]: clusterNamespace,
      [annotations.sourceCluster]: w.side.cluster.id,
    });
    expect(copy.metadata.ownerReferences).toEqual([
      { apiVersion: 'v1', kind: 'Namespace', name: clusterNamespace, uid },
    ]);
    await w.quiet();
    const own = w.writes.map(({ side, method }) => `${side} ${method}`);
    expect(own).toEqual(['app PATCH', 'control-plane PATCH']);
  });

  it('KON-37 carries spec up and status down, takes back drift, re-creates and deletes', async () => {
    const w = await world({ api: clusterScoped() });
    const ref = { name: 'db' };
    await w.create('db', undefined, { size: 1, plan: 'x' });
    const { metadata } = await w.copy(ref);
    const place = { name: metadata.name ?? '' };

    await w.app.patch(ref, { type: 'merge', patch: { spec: { size: 2, plan: null } } });
    expect(specOf(await w.copy(ref, (copy) => specOf(copy)['size'] === 2))).toEqual({ size: 2 });
    await w.controlPlane.patch(place, { type: 'merge', patch: { spec: { size: 9, resourceRef: { name: 'x' } } } });
    const kept = await w.copy(ref, (copy) => specOf(copy)['size'] === 2);
    expect(specOf(kept)).toEqual({ size: 2, resourceRef: { name: 'x' } });
    await w.controlPlane.patch(place, { type: 'merge', patch: { status: { a: 1 } } }, { subresource: 'status' });
    await w.original(ref, (object) => (object['status'] as { a?: number })?.a === 1);
    await w.controlPlane.delete(place);
    await w.copy(ref, (copy) => copy.metadata.uid !== metadata.uid);
    await w.app.delete(ref);
    await w.gone(w.controlPlane, place);
    await w.gone(w.app, ref);
  });

  it('KON-38 never touches objects of a tenant whose name begins like ours', async () => {
    const api = clusterScoped();
    const shorter = unique('x');
    const w = await world({ api, clusterNamespace: shorter });
    const longer = `${shorter}-y`;
    const theirs = widget(api, `${longer}-foo`, undefined, { size: 1 });
    const marks = {
      [annotations.bound]: 'true',
      [annotations.clusterNamespace]: longer,
      [annotations.sourceCluster]: 'their-cluster',
      [annotations.sourceUid]: 'their-uid',
    };
    const unbound = widget(api, `${longer}-bar`, undefined, { size: 1 });
    const nobody = widget(api, `${shorter}-free`, undefined, { size: 1 });
    const before = await Promise.all([
      w.controlPlane.create({ ...theirs, metadata: { ...theirs.metadata, annotations: marks } }),
      w.controlPlane.create({
        ...unbound,
        metadata: { ...unbound.metadata, annotations: { [annotations.clusterNamespace]: longer } },
      }),
      w.controlPlane.create(nobody),
    ]);

    await w.create('y-foo', undefined, { size: 7 });
    const conflicting = await w.original({ name: 'y-foo' }, (object) => conditionOf(object) !== undefined);
    await w.app.delete({ name: 'y-foo' });
    await w.gone(w.app, { name: 'y-foo' });
    await w.create('mine', undefined, { size: 1 });
    await w.copy({ name: 'mine' });
    await stayQuiet(4_000);

    expect(conditionOf(conflicting)).toMatchObject({ reason: 'Conflict' });
    const after = await Promise.all(before.map(({ metadata }) => w.controlPlane.get({ name: metadata.name ?? '' })));
    expect(after.map(({ metadata }) => metadata.resourceVersion)).toEqual(
      before.map(({ metadata }) => metadata.resourceVersion),
    );
    expect((await w.app.list()).items.map(({ metadata }) => metadata.name)).toEqual(['mine']);
    expect(w.reported.get('InstancesSynced')?.status).toBe('True');
  });

  it('KON-38 adopts only what is annotated for this tenant', async () => {
    const w = await world({ api: clusterScoped() });
    const made = widget(w.api, `${w.tenant.clusterNamespace}-report`, undefined, { size: 2 });
    const marks = { [annotations.clusterNamespace]: w.tenant.clusterNamespace };

    await w.controlPlane.create({ ...made, metadata: { ...made.metadata, annotations: marks } });

    const adopted = await w.original({ name: 'report' });
    expect(specOf(adopted)).toEqual({ size: 2 });
    await w.copy({ name: 'report' }, (copy) => copy.metadata.annotations?.[annotations.bound] === 'true');
  });

  it('KON-39 keeps names with isolation None, and leaves a name to whom it belongs', async () => {
    const api = clusterScoped();
    const w = await world({ api, bound: { isolation: 'None' } });
    const taken = await w.controlPlane.create(widget(api, 'taken', undefined, { size: 1 }));
    await w.create('db', undefined, { size: 1 });
    await w.create('taken', undefined, { size: 2 });

    const copy = await w.controlPlane.get({ name: (await w.copy({ name: 'db' })).metadata.name ?? '' });
    const conflicting = await w.original({ name: 'taken' }, (object) => conditionOf(object) !== undefined);

    expect(copy.metadata.name).toBe('db');
    expect(copy.metadata.annotations?.[annotations.clusterNamespace]).toBe(w.tenant.clusterNamespace);
    expect(conditionOf(conflicting)).toMatchObject({ reason: 'Conflict' });
    const still = await w.controlPlane.get({ name: 'taken' });
    expect(still.metadata.resourceVersion).toBe(taken.metadata.resourceVersion);
    await w.app.delete({ name: 'db' });
    await w.gone(w.controlPlane, { name: 'db' });
    await w.gone(w.app, { name: 'db' });
  });

  it('KON-39 keeps copies in the cluster namespace with isolation Namespaced', async () => {
    const group = `${unique('t')}.example.org`;
    const api = sampleApi({ scope: 'Cluster', group });
    const above = sampleApi({ scope: 'Namespaced', group });
    const w = await world({
      api,
      apiAbove: above,
      bound: { isolation: 'Namespaced', controlPlaneType: above.type },
    });
    await w.create('db', undefined, { size: 1 });

    const copy = await w.copy({ name: 'db' });

    expect(copy.metadata.namespace).toBe(w.tenant.clusterNamespace);
    await w.app.delete({ name: 'db' });
    await eventually(
      async () => (await w.controlPlane.list({ namespace: w.tenant.clusterNamespace })).items.length === 0,
    );
    await w.gone(w.app, { name: 'db' });
  });

  it('follows a namespaced API in one watch where the control plane allows that', async () => {
    const w = await world({ informerScope: 'Cluster' });
    const { name: namespace } = (await w.side.namespace()).metadata;
    const ref = { namespace, name: 'db' };
    const strange = widget(w.api, 'db', 'default', { size: 5 });
    const left = await w.controlPlane.create({
      ...strange,
      metadata: { ...strange.metadata, annotations: { [annotations.bound]: 'true' } },
    });
    await w.create('db', namespace, { size: 1 });
    const { metadata } = await w.copy(ref);
    await w.controlPlane.patch(
      { namespace: metadata.namespace, name: 'db' },
      { type: 'merge', patch: { status: { a: 1 } } },
      { subresource: 'status' },
    );
    await w.original(ref, (object) => object['status'] !== undefined);

    await w.app.delete(ref);

    await w.gone(w.controlPlane, { namespace: metadata.namespace, name: 'db' });
    await w.gone(w.app, ref);
    const after = await w.controlPlane.get({ namespace: 'default', name: 'db' });
    expect(after.metadata.resourceVersion).toBe(left.metadata.resourceVersion);
    await w.controlPlane.delete({ namespace: 'default', name: 'db' });
  });
});
