import { annotations, ConditionType } from '@klutch/api';
import { Namespaces } from '@klutch/kube';
import { eventually } from '@klutch/kube/testing';
import { expect, it } from 'vitest';
import { stayQuiet } from '../konnector/clusters.ts';
import { letTimePass, onClustersOfTheirOwn, type Stage } from './stage.ts';

/** Longer than the konnector takes to delete a copy whose original is missing. */
const longEnoughToDeleteMs = 5_000;
const anHourAgo = -3_600;

onClustersOfTheirOwn('an app cluster that is restored from a backup', (open) => {
  /** Objects from before the backup, and so few from after it that their number alone raises no suspicion. */
  async function grown(stage: Stage, beforeBackup: () => Promise<void>) {
    const old = (await stage.side.namespace('old')).metadata.name;
    await stage.grow(old, 'a', 'b');
    await beforeBackup();
    const backup = await stage.app.backup();
    return {
      backup,
      old,
      growMore: async () => {
        const fresh = (await stage.side.namespace('fresh')).metadata.name;
        await stage.grow(old, 'c', 'd');
        await stage.grow(fresh, 'e');
        await letTimePass(stage.app);
        const copies = async () => new Map([...(await stage.copies(old)), ...(await stage.copies(fresh))]);
        return { fresh, copies, before: await copies() };
      },
    };
  }

  async function expectHeld(stage: Stage, copies: () => Promise<object>, before: object) {
    const texts = [annotations.orphans, 'Restore', 'Delete'];
    await stage.condition(ConditionType.InstancesSynced, 'False', 'AppClusterSetBack', ...texts);
    await stayQuiet(longEnoughToDeleteMs);
    expect(await copies()).toEqual(before);
  }

  it('KON-27 loses nothing on the control plane while the konnector watches, and gets everything back', async () => {
    const stage = await open();
    await stage.start();
    const { old, backup, growMore } = await grown(stage, async () => {});
    const { fresh, copies, before } = await growMore();

    await stage.app.restore(backup);
    await expectHeld(stage, copies, before);
    expect([...(await stage.originals(old)).keys()]).toEqual(['a', 'b']);

    await stage.annotate(annotations.orphans, 'Restore');
    await eventually(async () => (await stage.originals(old)).size === 4, { withinMs: 30_000 });
    await stage.app.admin
      .resource(Namespaces)
      .create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: fresh } });
    await eventually(async () => (await stage.originals(fresh)).size === 1, { withinMs: 30_000 });
    await stage.condition(ConditionType.InstancesSynced, 'True');
    expect(await copies()).toEqual(before);
    await stage.annotate(annotations.orphans, null);
    await stayQuiet(longEnoughToDeleteMs);
    expect(await copies()).toEqual(before);
  }, 120_000);

  it('shows on its bindings what is true now, not what was true then', async () => {
    const stage = await open();
    await stage.start();
    stage.tenant.door.shut();
    await stage.condition(ConditionType.Heartbeating, 'False');
    const backup = await stage.app.backup();
    stage.tenant.door.open();
    await stage.condition(ConditionType.Ready, 'True');
    await letTimePass(stage.app);

    await stage.app.restore(backup);

    await stage.condition(ConditionType.Ready, 'True');
  }, 60_000);

  it('KON-27 loses nothing when it is restored while no konnector runs, until somebody decides', async () => {
    const stage = await open();
    const early = await stage.start(anHourAgo);
    const { old, backup, growMore } = await grown(stage, () => early.stop());
    const late = await stage.start();
    const { fresh, copies, before } = await growMore();
    await late.stop();

    await stage.app.restore(backup);
    const first = await stage.start();
    await expectHeld(stage, copies, before);
    // The condition is the memory of the next one.
    await first.stop();
    await stage.start();
    await expectHeld(stage, copies, before);

    await stage.annotate(annotations.orphans, 'Delete');
    await eventually(async () => (await stage.copies(old)).size === 2, { withinMs: 30_000 });
    expect([...(await stage.copies(old)).keys()]).toEqual(['a', 'b']);
    await stage.condition(ConditionType.InstancesSynced, 'True');
    const service = `${stage.tenant.clusterNamespace}-${fresh}`;
    const isGone = async () =>
      (await stage.controlPlane.admin.resource(Namespaces).find({ name: service }))?.status?.phase !== 'Active';
    await eventually(isGone, { withinMs: 30_000 });
  }, 120_000);
});
