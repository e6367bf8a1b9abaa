import { APIServiceNamespaces, finalizers } from '@klutch/api';
import { Namespaces } from '@klutch/kube';
import { eventually } from '@klutch/kube/testing';
import { expect, it } from 'vitest';
import { bound } from './bound.ts';
import { syncedCondition } from './instances-world.ts';
import { runKonnector } from './run-konnector.ts';
import { type Clusters, onBothTiers, stayQuiet, widget } from './world.ts';

const soon = { withinMs: 60_000, everyMs: 50 };

/** Longer than the konnector takes to release an original whose copy is gone. */
const longEnoughToReleaseMs = 3_000;

onBothTiers('an app namespace whose place the backend changes', (clusters) => {
  it('KON-25 while the konnector runs: the original stays until the copy is gone from where it was', async () => {
    const scene = await openScene(clusters());
    const konnector = await scene.start();
    await scene.copied();
    await scene.move();
    await scene.shows('NamespaceRefused', 'a place never changes');

    await scene.expectTwoPhases();
    await konnector.stop();
    await scene.tenant.close();
  });

  it('KON-25 while the konnector is down: the original stays until the copy is gone from where it was', async () => {
    const scene = await openScene(clusters());
    const first = await scene.start();
    await scene.copied();
    await scene.recorded();
    await first.stop();
    await scene.move();
    const second = await scene.start();
    await scene.shows('NamespaceRefused', 'a place never changes');

    await scene.expectTwoPhases();
    expect(await scene.copiesAtNewPlace()).toEqual([]);
    await second.stop();
    await scene.tenant.close();
  });
});

async function openScene(clusters: Clusters) {
  const { api, tenant, side } = await bound(clusters);
  const { admin } = clusters.controlPlane;
  const { name: namespace } = (await side.namespace()).metadata;
  const originals = side.cluster.admin.resource(api.type);
  const copies = admin.resource(api.type);
  const mappings = admin.resource(APIServiceNamespaces);
  const mapping = { namespace: tenant.clusterNamespace, name: namespace };
  const ref = { namespace, name: 'db' };
  await originalsAreServed();
  const service = `${tenant.clusterNamespace}-${namespace}`;
  const copy = { namespace: service, name: 'db' };
  const newPlace = `${service}-b`;

  async function originalsAreServed(): Promise<void> {
    const konnector = await runKonnector(side, { apis: [api] });
    await side.condition(api, 'Ready', 'True');
    await konnector.stop();
    await originals.create(widget(api, ref.name, namespace, { size: 1 }));
  }

  return {
    tenant,
    start: async () => {
      const konnector = await runKonnector(side, { apis: [api] });
      await eventually(() => konnector.isLeader(), soon);
      return konnector;
    },
    copied: async () => {
      await eventually(() => copies.find(copy), soon);
      await copies.patch(copy, { type: 'merge', patch: { metadata: { finalizers: ['example.org/slow'] } } });
    },
    /** The konnector has written down the place. */
    recorded: () =>
      eventually(
        async () => JSON.stringify((await mappings.get(mapping)).metadata.annotations).includes(service),
        soon,
      ),
    move: async () => {
      await admin.resource(Namespaces).create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: newPlace } });
      const patch = { status: { namespace: newPlace } };
      await mappings.patch(mapping, { type: 'merge', patch }, { subresource: 'status' });
    },
    shows: (reason: string, text: string) =>
      eventually(async () => {
        const condition = JSON.stringify(syncedCondition(await originals.get(ref)) ?? {});
        if (condition.includes(reason) && condition.includes(text)) return true;
        throw new Error(`the original shows ${condition}`);
      }, soon),
    copiesAtNewPlace: async () => (await copies.list({ namespace: newPlace })).items,
    /** Deletes the original and follows it until both are gone. */
    expectTwoPhases: async () => {
      await originals.delete(ref);
      await eventually(async () => (await copies.get(copy)).metadata.deletionTimestamp, soon);
      await stayQuiet(longEnoughToReleaseMs);
      expect((await originals.get(ref)).metadata.finalizers).toContain(finalizers.syncer);

      await copies.patch(copy, { type: 'merge', patch: { metadata: { finalizers: null } } });
      await eventually(async () => (await copies.find(copy)) === undefined, soon);
      await eventually(async () => (await originals.find(ref)) === undefined, soon);
    },
  };
}
