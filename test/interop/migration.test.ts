import {
  annotations,
  APIServiceBindings,
  ConditionType,
  CustomResourceDefinitions,
  finalizers,
  goKonnectorManager,
  isOwnedByBinding,
  labels,
  lease,
  ResourceOwner,
} from '@klutch/api';
import { Secrets } from '@klutch/kube';
import { describe, expect, it } from 'vitest';
import { onBothTiers } from '../konnector/world.ts';
import { serviceNamespace } from './actions.ts';
import { openGoBackend } from './go-backend.ts';
import { playStep, type Step } from './go-konnector.ts';
import { leaseOf, leaveGoLease } from './go-lease.ts';
import { goTakesOver } from './go-takes-over.ts';
import { inventory } from './inventory.ts';
import { type OurKonnector, startOurs } from './our-konnector.ts';
import { sceneOf, soon } from './scene.ts';
import { writesIn } from './sent-requests.ts';
import { openStage, type Stage } from './stage.ts';

/** What a Go konnector did before ours came. It leaves spec.tags on the copy of w1, and w2 unmarked above. */
const goSteps: readonly Step[] = [
  'CLI binds',
  'user creates widget w1 (first in namespace team-a)',
  'user edits spec.size',
  'user removes spec.tags',
  'provider sets status',
  'someone edits the copy',
  'provider creates a secret',
  'provider changes the secret',
  'provider creates widget w2 (adoption)',
];

async function afterGo(stage: Stage): Promise<void> {
  for (const step of goSteps) await playStep(step, stage);
  await leaveGoLease(stage);
}

onBothTiers('an app cluster that a Go konnector served', (clusters) => {
  describe('when ours takes over, and back', () => {
    it('KON-68 loses, doubles and makes nothing anew', async () => {
      const stage = await openStage(clusters(), openGoBackend);
      await afterGo(stage);
      const scene = sceneOf(stage, stage.appNamespace);
      const left = await scene.copyOf('w1');
      expect(left['spec']).toHaveProperty('tags');
      const before = await inventory(stage);

      let ours = await startOurs(stage);
      await settled(stage, ours);
      expect(await inventory(stage)).toEqual(before);
      await takenOver(stage);
      const made = ours.sent.filter(({ status, path }) => status === 201 && !/\/(leases|events)/.test(path));
      expect(made).toEqual([]);
      expect(ours.sent.filter(({ method }) => method === 'DELETE')).toEqual([]);

      await scene.create('w3', { size: 3, plan: 'p', tags: ['x'] });
      await scene.copyOf('w3');
      await scene.setStatus('w3', { phase: 'Ready' });
      await scene.statusIs('w3', { phase: 'Ready' });
      await ours.stop();
      await leftForGo(stage);

      const go = goTakesOver(stage);
      const withW3 = await inventory(stage);
      expect((await go.writeCrd()).status).toBe(200);
      expect((await go.writeKubeconfig()).status).toBe(200);
      expect((await go.heartbeat()).status).toBe(200);
      await scene.edit('w3', { size: 4 });
      await scene.edit('w1', { size: 5 });
      for (const name of ['w1', 'w3']) expect((await go.applySpec(name)).status).toBe(200);
      await scene.specIs('w1', { service: 's', plan: 'p', size: 5, params: { k: 'v' } });
      await scene.specIs('w3', { size: 4, plan: 'p', tags: ['x'] });
      await scene.setStatus('w3', { phase: 'Busy' });
      expect((await go.writeStatus('w3', { phase: 'Busy' })).status).toBe(200);
      await scene.statusIs('w3', { phase: 'Busy' });
      expect((await go.writeToWrongCluster()).status).toBe(404);
      await changeSecret(stage, 'cDM=');
      expect((await go.writeSecret({ data: { password: 'cDM=' } })).status).toBe(200);
      expect(await inventory(stage)).toEqual(withW3);
      await scene.delete('w1');
      expect((await go.deleteCopy('w1')).status).toBe(200);
      expect((await go.release('w1')).status).toBe(200);
      await soon(async () => (await scene.findOriginal('w1')) === undefined);

      const withoutW1 = await inventory(stage);
      ours = await startOurs(stage);
      await settled(stage, ours);
      await takenOver(stage);
      expect(await inventory(stage)).toEqual(withoutW1);
      await scene.edit('w3', { tags: null });
      await scene.specIs('w3', { size: 4, plan: 'p' });
      await changeSecret(stage, 'cDQ=');
      await soon(async () => (await appSecret(stage)).data?.['password'] === 'cDQ=');
      await scene.delete('w3');
      await soon(async () => (await scene.findOriginal('w3')) === undefined);
      expect(await scene.findCopy('w3')).toBeUndefined();
      await ours.stop();
      await stage.close();
    }, 180_000);

    it('KON-68 removes above what the user had removed while Go could not, and honours its finalizer', async () => {
      const stage = await openStage(clusters(), openGoBackend);
      await afterGo(stage);
      const scene = sceneOf(stage, stage.appNamespace);
      const ours = await startOurs(stage);

      await scene.specIs('w1', { service: 's', plan: 'p', size: 2, params: { k: 'v' } });
      await scene.edit('w1', { plan: null, params: null });
      await scene.specIs('w1', { service: 's', size: 2 });
      await scene.delete('w1');
      await soon(async () => (await scene.findOriginal('w1')) === undefined);
      expect(await scene.findCopy('w1')).toBeUndefined();
      // Adopted by Go, which leaves it unmarked above: it must not come back.
      await scene.delete('w2');
      await soon(async () => (await scene.findOriginal('w2')) === undefined);
      expect(await scene.findCopy('w2')).toBeUndefined();
      await ours.stop();
      await stage.close();
    }, 120_000);

    it('KON-68 finishes deletions that Go did not live to see', async () => {
      const stage = await openStage(clusters(), openGoBackend);
      await afterGo(stage);
      const scene = sceneOf(stage, stage.appNamespace);
      for (const name of ['w1', 'w2']) await scene.delete(name);
      expect((await scene.original('w1')).metadata.deletionTimestamp).toBeDefined();
      const ours = await startOurs(stage);

      for (const name of ['w1', 'w2']) {
        await soon(async () => (await scene.findOriginal(name)) === undefined);
        expect(await scene.findCopy(name)).toBeUndefined();
      }
      await ours.stop();
      await stage.close();
    }, 120_000);

    it('KON-68 leaves alone what Go uploaded without being asked, and uploads no more', async () => {
      const stage = await openStage(clusters(), openGoBackend);
      await afterGo(stage);
      const { app, controlPlane } = stage.clusters;
      const here = { namespace: stage.appNamespace, name: 'mine' };
      const there = { namespace: serviceNamespace(stage), name: 'mine' };
      for (const [client, ref] of [[app.admin, here] as const, [controlPlane.admin, there] as const]) {
        const metadata = { ...ref, annotations: { [annotations.resourceOwner]: ResourceOwner.Consumer } };
        const secret = { apiVersion: 'v1', kind: 'Secret', metadata, data: { token: 'b2xk' } };
        await client.resource(Secrets).create(secret, { fieldManager: goKonnectorManager });
      }
      const before = await inventory(stage);
      const ours = await startOurs(stage);
      await settled(stage, ours);
      await app.admin.resource(Secrets).patch(here, { type: 'merge', patch: { data: { token: 'bmV3' } } });
      await changeSecret(stage, 'cDM=');
      await soon(async () => (await appSecret(stage)).data?.['password'] === 'cDM=');

      expect(await inventory(stage)).toEqual(before);
      expect((await controlPlane.admin.resource(Secrets).get(there)).data).toEqual({ token: 'b2xk' });
      expect((await app.admin.resource(Secrets).get(here)).data).toEqual({ token: 'bmV3' });
      expect(ours.sent.filter(({ path }) => path.includes('/secrets/mine'))).toEqual([]);
      await ours.stop();
      await stage.close();
    }, 120_000);

    it('KON-68 waits for a Go konnector that still holds the lease', async () => {
      const stage = await openStage(clusters(), openGoBackend);
      for (const step of goSteps.slice(0, 2)) await playStep(step, stage);
      await leaveGoLease(stage, { holderIdentity: 'konnector-go-0', leaseDurationSeconds: 3600 });
      const ours = await startOurs(stage);
      const asks = () => ours.sent.filter(({ path }) => path.includes(`/leases/${lease.name}`)).length;
      const first = asks();
      await soon(() => asks() >= first + 5);

      expect(ours.isLeader()).toBe(false);
      expect(ours.sent.filter(({ method }) => method !== 'GET')).toEqual([]);
      expect((await leaseOf(stage)).spec?.holderIdentity).toBe('konnector-go-0');
      await ours.stop();
      await stage.close();
    }, 90_000);
  });
});

/** Waits until ours works and has nothing left to write. */
async function settled(stage: Stage, ours: OurKonnector): Promise<void> {
  await stage.app.condition(stage.api, ConditionType.Ready, 'True');
  await stage.app.condition(stage.api, ConditionType.InstancesSynced, 'True');
  const writes = () => writesIn(ours.sent).filter(({ path }) => !path.includes('/clusterbindings/')).length;
  let seen = -1;
  await soon(
    () => {
      const isSame = writes() === seen;
      seen = writes();
      return isSame;
    },
    30_000,
    2_000,
  );
}

/** Everything carries the marks of ours. */
async function takenOver(stage: Stage): Promise<void> {
  const scene = sceneOf(stage, stage.appNamespace);
  const { items } = await stage.clusters.app.admin.resource(stage.api.type).list({ namespace: stage.appNamespace });
  expect(items.length).toBeGreaterThan(0);
  for (const { metadata } of items) {
    const copy = await scene.copyOf(metadata.name ?? '');
    expect(copy.metadata.annotations).toMatchObject({
      [annotations.bound]: 'true',
      [annotations.sourceCluster]: stage.clusters.app.id,
      [annotations.sourceUid]: metadata.uid,
    });
    expect(metadata.finalizers).toEqual([finalizers.syncer]);
  }
  const secret = await appSecret(stage);
  expect(secret.metadata.labels).toMatchObject({ [labels.claimedFrom]: ResourceOwner.Provider });
  expect(secret.metadata.annotations).toMatchObject({ [annotations.resourceOwner]: ResourceOwner.Provider });
}

/** Everything a Go konnector relies on when it comes after ours. */
async function leftForGo(stage: Stage): Promise<void> {
  const { app, controlPlane } = stage.clusters;
  const scene = sceneOf(stage, stage.appNamespace);
  for (const name of ['w1', 'w2', 'w3']) {
    const original = await scene.original(name);
    // Absent above, a Go konnector would bring back what the user deletes.
    expect((await scene.copyOf(name)).metadata.annotations?.[annotations.bound]).toBe('true');
    expect(original.metadata.annotations?.[annotations.bound]).toBe('true');
    expect(original.metadata.finalizers).toEqual([finalizers.syncer]);
  }
  const above = await controlPlane.admin.resource(Secrets).get({ namespace: serviceNamespace(stage), name: 'creds' });
  for (const secret of [above, await appSecret(stage)]) {
    expect(secret.metadata.annotations?.[annotations.resourceOwner]).toBe(ResourceOwner.Provider);
  }
  const binding = await app.admin
    .resource(APIServiceBindings)
    .get({ namespace: stage.app.bindingNamespace, name: stage.api.name });
  expect(binding.metadata.finalizers).toBeUndefined();
  const crd = await app.admin.resource(CustomResourceDefinitions).get({ name: stage.api.name });
  expect(isOwnedByBinding(crd, binding)).toBe(true);
  expect((await leaseOf(stage)).spec?.holderIdentity || undefined).toBeUndefined();
}

async function appSecret({ clusters, appNamespace }: Stage) {
  return await clusters.app.admin.resource(Secrets).get({ namespace: appNamespace, name: 'creds' });
}

async function changeSecret(stage: Stage, password: string): Promise<void> {
  const ref = { namespace: serviceNamespace(stage), name: 'creds' };
  await stage.clusters.controlPlane.admin
    .resource(Secrets)
    .patch(ref, { type: 'merge', patch: { data: { password } } });
}
