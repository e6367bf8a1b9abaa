import { annotations, CustomResourceDefinitions, finalizers } from '@klutch/api';
import type { ObjectRef } from '@klutch/kube';
import { eventually } from '@klutch/kube/testing';
import { expect, it } from 'vitest';
import { type InstancesWorld, instancesWorlds, syncedCondition as conditionOf } from './instances-world.ts';
import { installCrd, onBothTiers, stayQuiet, widget } from './world.ts';

const noFinalizers = { type: 'merge', patch: { metadata: { finalizers: null } } } as const;

onBothTiers('deletion', (clusters) => {
  const world = instancesWorlds(clusters);

  /** A world with objects that are in sync. */
  async function synced(count: number, options: Parameters<typeof world>[0] = {}) {
    const w = await world(options);
    const { name: namespace } = (await w.side.namespace()).metadata;
    const refs = Array.from({ length: count }, (_, index) => ({ namespace, name: `db-${index}` }));
    for (const { name } of refs) await w.create(name, namespace, { size: 1 });
    for (const ref of refs) await w.copy(ref);
    await w.quiet();
    return { w, namespace, refs, ref: refs[0] as ObjectRef, service: await w.tenant.serviceNamespace(namespace) };
  }

  /** Removes originals behind the konnector's back. */
  async function rob(w: InstancesWorld, refs: readonly ObjectRef[]): Promise<void> {
    for (const ref of refs) {
      await w.app.patch(ref, noFinalizers);
      await w.app.delete(ref);
    }
    for (const ref of refs) await w.gone(w.app, ref);
  }

  const copies = async (w: InstancesWorld, namespace: string) => (await w.controlPlane.list({ namespace })).items;
  const uids = async (w: InstancesWorld, namespace: string) =>
    new Map((await copies(w, namespace)).map(({ metadata }) => [metadata.name, metadata.uid]));
  const held = (w: InstancesWorld, reason: string) =>
    eventually(() => w.reported.get('InstancesSynced')?.reason === reason, { withinMs: 30_000 });

  it('KON-24 deletes the copy with the original', async () => {
    const { w, ref, service } = await synced(1);

    await w.app.delete(ref);

    await w.gone(w.controlPlane, { ...ref, namespace: service });
    await w.gone(w.app, ref);
    await w.quiet();
    const own = w.writes.filter(({ path }) => path.includes('/widgets')).map(({ side, method }) => `${side} ${method}`);
    expect(own.slice(2)).toEqual(['control-plane DELETE', 'app PATCH']);
    expect(w.instances.stillUses(service)).toBe(false);
  });

  it('KON-25 keeps the original until the copy is gone, and shows what the control plane waits for', async () => {
    const { w, ref, service } = await synced(1);
    const place = { ...ref, namespace: service };
    await w.controlPlane.patch(place, { type: 'merge', patch: { metadata: { finalizers: ['example.org/slow'] } } });

    await w.app.delete(ref);

    const original = await w.original(ref, (object) => conditionOf(object) !== undefined);
    expect(original.metadata.deletionTimestamp).toBeDefined();
    expect(original.metadata.finalizers).toEqual([finalizers.syncer]);
    expect(conditionOf(original)).toMatchObject({
      reason: 'Deleting',
      message: expect.stringContaining('example.org/slow') as string,
    });
    expect(w.instances.stillUses(service)).toBe(true);
    await w.controlPlane.patch(place, noFinalizers);
    await w.gone(w.app, ref);
  });

  it('KON-25 keeps the original also over a restart', async () => {
    const { w, ref, service } = await synced(1);
    const place = { ...ref, namespace: service };
    await w.controlPlane.patch(place, { type: 'merge', patch: { metadata: { finalizers: ['example.org/slow'] } } });
    await w.app.delete(ref);
    await eventually(async () => (await w.controlPlane.get(place)).metadata.deletionTimestamp !== undefined);

    const again = await w.restart();
    await again.quiet();
    expect((await again.app.get(ref)).metadata.finalizers).toEqual([finalizers.syncer]);
    await again.controlPlane.patch(place, noFinalizers);

    await again.gone(again.app, ref);
  });

  it('KON-26 deletes the copy of an original that was removed by force', async () => {
    const { w, refs, ref, service } = await synced(3);

    await rob(w, [ref]);

    await w.gone(w.controlPlane, { ...ref, namespace: service });
    expect(await copies(w, service)).toHaveLength(refs.length - 1);
  });

  it('KON-26 deletes the copies of originals that went while the konnector was down', async () => {
    const { w, refs, service } = await synced(4);
    await w.stop();
    await rob(w, refs.slice(0, 2));

    const again = await w.restart();

    for (const ref of refs.slice(0, 2)) await again.gone(again.controlPlane, { ...ref, namespace: service });
    expect(await copies(again, service)).toHaveLength(2);
  });

  it('KON-27 deletes nothing when many originals are missing, until somebody says so', async () => {
    const { w, refs, service } = await synced(8);
    await w.stop();
    await rob(w, refs.slice(0, 7));

    const again = await w.restart();
    await held(again, 'OrphansHeld');
    await stayQuiet(5_000);
    expect(await copies(again, service)).toHaveLength(8);
    expect(again.reported.get('InstancesSynced')?.message).toMatch(/7 objects.*Restore.*Delete/s);
    expect(again.instances.stillUses(service)).toBe(true);

    again.instances.update({ ...again.bound, orphans: 'Delete' });
    await eventually(async () => (await copies(again, service)).length === 1, { withinMs: 30_000 });
    await eventually(() => again.reported.get('InstancesSynced')?.status === 'True');
  });

  it('KON-27 creates missing originals again when the operator wants that', async () => {
    const { w, refs, service } = await synced(7);
    const before = new Map((await copies(w, service)).map(({ metadata }) => [metadata.name, metadata.uid]));
    await w.stop();
    await rob(w, refs);
    const again = await w.restart();
    await held(again, 'OrphansHeld');

    again.instances.update({ ...again.bound, orphans: 'Restore' });

    for (const ref of refs) {
      const { metadata } = await again.original(ref, (object) => object.metadata.finalizers !== undefined);
      const copy = await again.copy(ref, (one) => one.metadata.annotations?.[annotations.sourceUid] === metadata.uid);
      expect(copy.metadata.uid).toBe(before.get(ref.name));
    }
  });

  it('KON-27 leaves alone what belongs to another app cluster, and says how to take it over', async () => {
    const { w, ref, service } = await synced(2);
    await w.stop();
    await rob(w, [ref]);

    const other = await w.restart({ appClusterId: 'another-cluster' });
    await held(other, 'OtherAppCluster');
    const conflicting = { ...ref, name: 'db-1' };
    const original = await other.original(conflicting, (object) => conditionOf(object) !== undefined);
    expect(conditionOf(original)).toMatchObject({
      reason: 'Conflict',
      message: expect.stringContaining(w.side.cluster.id) as string,
    });
    await other.quiet();
    expect(await copies(other, service)).toHaveLength(2);
    expect(other.writes.filter(({ side }) => side === 'control-plane')).toEqual([]);

    other.instances.update({ ...other.bound, takeOverFrom: w.side.cluster.id });
    const taken = await other.copy(
      conflicting,
      (one) => one.metadata.annotations?.[annotations.sourceCluster] === 'another-cluster',
    );
    expect(taken.metadata.annotations?.[annotations.sourceUid]).toBe(original.metadata.uid);
    await other.original(conflicting, (object) => conditionOf(object) === undefined);
    expect(await copies(other, service)).toHaveLength(2);
  });

  it('KON-27 deletes nothing in an app cluster that was set back', async () => {
    const { w, ref, service } = await synced(1);
    await w.stop();
    await rob(w, [ref]);

    const again = await w.restart({ isSetBack: true });
    await held(again, 'AppClusterSetBack');
    await stayQuiet(4_000);

    expect(await copies(again, service)).toHaveLength(1);
    expect(again.reported.get('InstancesSynced')?.message).toContain('restored from a backup');
  });

  it('KON-27 holds a copy of unknown origin without original', async () => {
    const { w, service } = await synced(1);
    const made = widget(w.api, 'old', service, { size: 1 });

    await w.controlPlane.create({
      ...made,
      metadata: { ...made.metadata, annotations: { [annotations.bound]: 'true' } },
    });

    await held(w, 'OrphansHeld');
    await stayQuiet(4_000);
    expect(await copies(w, service)).toHaveLength(2);
  });

  it('KON-27 notices an app cluster that has the same identity, and deletes none of its copies', async () => {
    const { w, service } = await synced(1);
    const theirs = widget(w.api, 'theirs', service, { size: 1 });
    const marks = {
      [annotations.bound]: 'true',
      [annotations.clusterNamespace]: w.tenant.clusterNamespace,
      [annotations.sourceCluster]: w.side.cluster.id,
      [annotations.sourceUid]: 'of-the-other-cluster',
    };

    await w.controlPlane.create({ ...theirs, metadata: { ...theirs.metadata, annotations: marks } });

    await held(w, 'OtherAppCluster');
    await stayQuiet(4_000);
    expect(await copies(w, service)).toHaveLength(2);
    expect(w.reported.get('InstancesSynced')?.message).toContain('same identity');
  });

  it('KON-12 restores the originals when somebody deletes the CRD in the app cluster', async () => {
    const { w, refs, service } = await synced(3);
    const before = await uids(w, service);
    const crds = clusters().app.admin.resource(CustomResourceDefinitions);

    await crds.delete({ name: w.api.name });
    await eventually(async () => (await crds.find({ name: w.api.name })) === undefined, { withinMs: 60_000 });
    expect(await uids(w, service)).toEqual(before);
    await installCrd(clusters().app.admin, w.api.crd);

    for (const ref of refs) {
      const { metadata } = await w.original(ref);
      await w.copy(ref, (copy) => copy.metadata.annotations?.[annotations.sourceUid] === metadata.uid);
    }
    expect(await uids(w, service)).toEqual(before);
  });

  it('KON-31 shows the user what the provider makes, and deletes it on both sides when the user does', async () => {
    const { w, namespace, service } = await synced(1);
    const ref = { namespace, name: 'backup' };
    const place = { namespace: service, name: 'backup' };
    const made = widget(w.api, 'backup', service, { size: 3 });
    const owner = { apiVersion: 'v1', kind: 'Namespace', name: w.tenant.clusterNamespace, uid: w.tenant.uid };
    const metadata = {
      ...made.metadata,
      labels: { team: 'a' },
      annotations: { 'example.org/schedule': 'daily', 'crossplane.io/external-name': 'x' },
      finalizers: ['example.org/slow'],
      ownerReferences: [owner],
    };
    const provided = await w.controlPlane.create({ ...made, metadata });

    const adopted = await w.original(ref);
    expect(adopted['spec']).toEqual({ size: 3 });
    expect(adopted.metadata.labels).toEqual({ team: 'a' });
    expect(adopted.metadata.annotations).toEqual({ 'example.org/schedule': 'daily', [annotations.bound]: 'true' });
    expect(adopted.metadata.finalizers).toEqual([finalizers.syncer]);
    expect(adopted.metadata.ownerReferences).toBeUndefined();
    const marked = await w.copy(ref, (one) => one.metadata.annotations?.[annotations.bound] === 'true');
    expect(marked.metadata).toMatchObject({ uid: provided.metadata.uid, finalizers: ['example.org/slow'] });
    await w.app.patch(ref, { type: 'merge', patch: { spec: { size: 4 } } });
    await w.copy(ref, (one) => (one['spec'] as { size: number }).size === 4);

    await w.app.delete(ref);
    await eventually(async () => (await w.controlPlane.get(place)).metadata.deletionTimestamp !== undefined);
    // Even when somebody tears the original away, it does not come back.
    await w.app.patch(ref, noFinalizers);
    await w.gone(w.app, ref);
    await w.quiet();
    expect(await w.app.find(ref)).toBeUndefined();
    await w.controlPlane.patch(place, noFinalizers);
    await w.gone(w.controlPlane, place);
    await w.quiet();
    expect(await w.app.find(ref)).toBeUndefined();
  });

  it('deletes many at once, each exactly once', async () => {
    const { w, namespace, refs, service } = await synced(30);
    const before = w.writes.length;

    await w.app.deleteCollection({ namespace });

    await eventually(async () => (await copies(w, service)).length === 0, { withinMs: 30_000 });
    await eventually(async () => (await w.app.list({ namespace })).items.length === 0, { withinMs: 30_000 });
    const sent = w.writes.slice(before).map(({ side, method }) => `${side} ${method}`);
    expect(sent.filter((one) => one === 'control-plane DELETE')).toHaveLength(refs.length);
    expect(sent.filter((one) => one === 'app PATCH')).toHaveLength(refs.length);
    expect(sent).toHaveLength(2 * refs.length);
  });
});
