import { annotations, ConditionType } from '@klutch/api';
import type { Tier } from '@klutch/kit';
import { describeReal } from '@klutch/kit/vitest';
import { Namespaces } from '@klutch/kube';
import { eventually } from '@klutch/kube/testing';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { widget } from '../konnector/app-side.ts';
import { installKinds, stayQuiet } from '../konnector/clusters.ts';
import { openRewindable, type RewindableCluster } from './rewindable.ts';
import { openStage, type Stage } from './stage.ts';

/** Longer than the konnector takes to delete a copy whose original is missing. */
const longEnoughToDeleteMs = 5_000;

describe('two app clusters with one kubeconfig (embedded)', () => tests('embedded'));
describeReal('two app clusters with one kubeconfig (real)', () => tests('real'));

function tests(tier: Tier): void {
  let app: RewindableCluster;
  let other: RewindableCluster;
  let controlPlane: RewindableCluster;
  const stages: Stage[] = [];

  beforeAll(async () => {
    [app, other, controlPlane] = await Promise.all([openRewindable(tier), openRewindable(tier), openRewindable(tier)]);
    await installKinds(controlPlane);
  }, 180_000);
  afterEach(async () => {
    for (const stage of stages.splice(0).reverse()) await stage.close();
  });
  afterAll(async () => {
    await Promise.all([app?.close(), other?.close(), controlPlane?.close()]);
  });

  async function openFirst(): Promise<Stage> {
    const stage = await openStage({ tier, app, controlPlane });
    stages.push(stage);
    return stage;
  }

  /** The same binding and kubeconfig, applied to another cluster. */
  async function openSecond(like: Stage): Promise<Stage> {
    const stage = await openStage({ tier, app: other, controlPlane }, { like });
    stages.push(stage);
    return stage;
  }

  async function nameOfNamespace(cluster: RewindableCluster, name: string): Promise<void> {
    await cluster.admin.resource(Namespaces).create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
  }

  async function expectOtherAppCluster(stage: Stage, ...named: readonly string[]): Promise<void> {
    await stage.condition(ConditionType.InstancesSynced, 'False', 'OtherAppCluster', ...named);
  }

  it('KON-27 rebuilt and empty: deletes nothing, says what to do, and gets everything back when told to', async () => {
    const lost = await openFirst();
    const konnector = await lost.start();
    const team = (await lost.side.namespace()).metadata.name;
    const before = await lost.grow(team, 'a', 'b', 'c');
    await lost.give(team, 'a-creds');
    await konnector.stop();

    const rebuilt = await openSecond(lost);
    await rebuilt.start();
    await expectOtherAppCluster(rebuilt, annotations.takeOverFrom, app.id);
    await stayQuiet(longEnoughToDeleteMs);
    expect(await lost.copies(team)).toEqual(before);

    await rebuilt.annotate(annotations.takeOverFrom, app.id);
    await expectOtherAppCluster(rebuilt, annotations.orphans, 'Restore');
    await stayQuiet(longEnoughToDeleteMs);
    expect(await lost.copies(team)).toEqual(before);

    await rebuilt.annotate(annotations.orphans, 'Restore');
    await nameOfNamespace(other, team);
    await eventually(async () => (await rebuilt.originals(team)).size === 3, { withinMs: 60_000 });
    await eventually(async () => (await rebuilt.received(team)).length === 1, { withinMs: 30_000 });
    await rebuilt.condition(ConditionType.InstancesSynced, 'True');
    expect(await rebuilt.copies(team)).toEqual(before);
    await rebuilt.annotate(annotations.orphans, null);
    await rebuilt.annotate(annotations.takeOverFrom, null);
    await stayQuiet(longEnoughToDeleteMs);
    expect(await rebuilt.copies(team)).toEqual(before);
  }, 120_000);

  it('KON-27 at the same time: neither touches what the other has, and both say so', async () => {
    const one = await openFirst();
    const two = await openSecond(one);
    await one.start();
    const team = (await one.side.namespace()).metadata.name;
    const before = await one.grow(team, 'a', 'b');
    await nameOfNamespace(other, team);
    await two.start();
    await two.app.admin.resource(two.api.type).create(widget(two.api, 'a', team, { size: 99 }));
    const own = (await two.side.namespace('own')).metadata.name;
    const theirs = await two.grow(own, 'z');

    await expectOtherAppCluster(two, annotations.takeOverFrom, app.id);
    await expectOtherAppCluster(one, annotations.takeOverFrom, other.id);
    await stayQuiet(longEnoughToDeleteMs);
    expect(await one.copies(team)).toEqual(before);
    expect(await two.copies(own)).toEqual(theirs);
    const kept = await controlPlane.admin
      .resource(one.api.type)
      .get({ namespace: await one.tenant.serviceNamespace(team), name: 'a' });
    expect(kept['spec']).toEqual({ size: 1 });

    // Each may still delete what is its own.
    await one.app.admin.resource(one.api.type).delete({ namespace: team, name: 'b' });
    await eventually(async () => !(await one.copies(team)).has('b'), { withinMs: 30_000 });
    await two.app.admin.resource(two.api.type).delete({ namespace: team, name: 'a' });
    await eventually(async () => (await two.originals(team)).size === 0, { withinMs: 30_000 });
    expect([...(await one.copies(team)).keys()]).toEqual(['a']);
  }, 120_000);

  it('KON-27 as twins from one backup: what only one of them has is kept, whichever starts first', async () => {
    const one = await openFirst();
    const konnector = await one.start();
    const team = (await one.side.namespace()).metadata.name;
    await one.grow(team, 'a');
    await konnector.stop();
    const backup = await app.backup();
    await other.restore(backup);
    // Its bindings, Secrets, lease and identity came with the backup.
    const twin = await openStage({ tier, app: other, controlPlane }, { like: one, twin: true });
    stages.push(twin);

    await one.start();
    const fresh = (await one.side.namespace('fresh')).metadata.name;
    await one.grow(team, 'b', 'c');
    await one.grow(fresh, 'd');
    const copies = async () => new Map([...(await one.copies(team)), ...(await one.copies(fresh))]);
    const before = await copies();

    await twin.start();
    await twin.condition(ConditionType.InstancesSynced, 'False', 'AppClusterSetBack', annotations.orphans);
    await stayQuiet(longEnoughToDeleteMs);
    expect(await copies()).toEqual(before);

    await one.grow(team, 'e');
    const after = await copies();
    await expectOtherAppCluster(twin, 'same identity');
    await stayQuiet(longEnoughToDeleteMs);
    expect(await copies()).toEqual(after);
  }, 120_000);
}
