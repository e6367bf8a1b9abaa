import { annotations, ClusterBindings, ConditionType, controlPlane as names } from '@klutch/api';
import { Secrets } from '@klutch/kube';
import { eventually } from '@klutch/kube/testing';
import { expect, it } from 'vitest';
import { stayQuiet } from '../konnector/clusters.ts';
import { letTimePass, onClustersOfTheirOwn, secret, type Stage } from './stage.ts';

/** Longer than the konnector takes to remove anything. */
const longEnoughToRemoveMs = 4_000;
const anHourAgo = -3_600;

onClustersOfTheirOwn('a control plane that is restored from a backup', (open) => {
  async function beforeBackup(stage: Stage) {
    const old = (await stage.side.namespace('old')).metadata.name;
    await stage.grow(old, 'a', 'deleted');
    await stage.give(old, 'a-creds');
    return old;
  }

  /** What the restore takes back: new objects, new Secrets, a new namespace, and a deletion. */
  async function afterBackup(stage: Stage, old: string) {
    const fresh = (await stage.side.namespace('fresh')).metadata.name;
    await stage.grow(old, 'b');
    await stage.give(old, 'b-creds');
    await stage.grow(fresh, 'c');
    await stage.give(fresh, 'c-creds');
    await stage.app.admin.resource(stage.api.type).delete({ namespace: old, name: 'deleted' });
    await eventually(async () => !(await stage.copies(old)).has('deleted'), { withinMs: 30_000 });
    await eventually(async () => !(await stage.originals(old)).has('deleted'), { withinMs: 30_000 });
    await letTimePass(stage.controlPlane);
    const originals = async () => new Map([...(await stage.originals(old)), ...(await stage.originals(fresh))]);
    return { fresh, originals, before: await originals() };
  }

  type After = Awaited<ReturnType<typeof afterBackup>>;

  /** Nothing of the user is lost, what is missing above is made again, and what was deleted goes again. */
  async function expectRepaired(stage: Stage, old: string, { fresh, originals, before }: After) {
    await expectNames(() => stage.copies(old), 'a b');
    await expectNames(() => stage.copies(fresh), 'c');
    await stage.condition(ConditionType.ClaimsSynced, 'False', 'ControlPlaneSetBack', annotations.orphans);
    await stayQuiet(longEnoughToRemoveMs);
    expect(await originals()).toEqual(before);
    expect(await stage.received(old)).toEqual(['a-creds', 'b-creds']);
    expect(await stage.received(fresh)).toEqual(['c-creds']);
    await stage.condition(ConditionType.InstancesSynced, 'True');
  }

  it('KON-23 is brought up to date while the konnector watches, and no credential gets lost', async () => {
    const stage = await open();
    const konnector = await stage.start(0, { heartbeatMs: 4_000 });
    const old = await beforeBackup(stage);
    const backup = await stage.controlPlane.backup();
    const after = await afterBackup(stage, old);
    const heartbeat = await lastHeartbeat(stage);

    await stage.controlPlane.restore(backup);
    await stage.tenant.restartBackend();
    await expectRepaired(stage, old, after);
    await stage.condition(ConditionType.Heartbeating, 'True');
    await eventually(async () => (await lastHeartbeat(stage)) > heartbeat, { withinMs: 30_000, everyMs: 50 });

    // The condition is the memory of the next konnector.
    await konnector.stop();
    await stage.start();
    await expectRepaired(stage, old, after);

    const service = await stage.tenant.serviceNamespace(old);
    const secrets = stage.controlPlane.admin.resource(Secrets);
    await secrets.create(secret(service, 'b-creds'));
    await secrets.create(secret(await stage.tenant.serviceNamespace(after.fresh), 'c-creds'));
    await stage.condition(ConditionType.ClaimsSynced, 'True');
    await secrets.delete({ namespace: service, name: 'b-creds' });
    await expectNames(() => stage.received(old), 'a-creds');
  }, 120_000);

  it('KON-23 is brought up to date by a konnector that starts later, and credentials go when somebody says so', async () => {
    const stage = await open();
    const early = await stage.start(anHourAgo);
    const old = await beforeBackup(stage);
    await early.stop();
    const backup = await stage.controlPlane.backup();
    const late = await stage.start();
    const after = await afterBackup(stage, old);
    const heartbeat = await lastHeartbeat(stage);
    await late.stop();

    await stage.controlPlane.restore(backup);
    await stage.tenant.restartBackend();
    await stage.start();
    await expectRepaired(stage, old, after);
    await eventually(async () => (await lastHeartbeat(stage)) >= heartbeat, { withinMs: 30_000 });

    await stage.annotate(annotations.orphans, 'Delete');
    await expectNames(() => stage.received(old), 'a-creds');
    await expectNames(() => stage.received(after.fresh), '');
    await stage.condition(ConditionType.ClaimsSynced, 'True');
  }, 120_000);

  it('KON-23 is known by a konnector that starts later, although the one before had lost it', async () => {
    const stage = await open();
    const early = await stage.start();
    const old = await beforeBackup(stage);
    const backup = await stage.controlPlane.backup();
    const after = await afterBackup(stage, old);
    stage.tenant.door.shut();
    await stage.condition(ConditionType.Heartbeating, 'False');
    await early.stop();
    // One that never sees the control plane hands on what it was told.
    const between = await stage.start(0, {}, 'False');
    await between.stop();

    await stage.controlPlane.restore(backup);
    await stage.tenant.restartBackend();
    stage.tenant.door.open();
    await stage.start();
    await expectRepaired(stage, old, after);
  }, 120_000);
});

async function lastHeartbeat({ controlPlane, tenant }: Stage): Promise<string> {
  const ref = { namespace: tenant.clusterNamespace, name: names.clusterBinding };
  return (await controlPlane.admin.resource(ClusterBindings).get(ref)).status?.lastHeartbeatTime ?? '';
}

/** Waits until exactly these are there. */
async function expectNames(look: () => Promise<readonly string[] | ReadonlyMap<string, string>>, wanted: string) {
  await eventually(
    async () => {
      const found = await look();
      const names: readonly string[] = found instanceof Map ? [...found.keys()] : [...(found as readonly string[])];
      const text = names.toSorted((a, b) => (a < b ? -1 : 1)).join(' ');
      if (text === wanted) return true;
      throw new Error(`There is "${text}", not "${wanted}".`);
    },
    { withinMs: 30_000, everyMs: 50 },
  );
}
