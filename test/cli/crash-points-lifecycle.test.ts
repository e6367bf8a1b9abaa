import { APIServiceExportRequests, CustomResourceDefinitions } from '@klutch/api';
import type { Tier } from '@klutch/kit';
import { describeReal } from '@klutch/kit/vitest';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { patiently } from '../backend/process-world.ts';
import { isAccepted } from '../bind/scene.ts';
import { buildKillableKlutch, type Fate, type KillableKlutch, throughCrashPoints } from './crash-points.ts';
import { type CrashScene, klutch, openCrashScene, registrationsOf, remainsOf, statusOf } from './crash-scene.ts';

let command: KillableKlutch;
beforeAll(async () => {
  command = await buildKillableKlutch();
});
afterAll(() => command.remove());

/** Rotates in an app cluster that is bound: killed, and again. */
async function rotateKilledAt(n: number, scene: CrashScene): Promise<Fate> {
  const stored = async () => (await remainsOf(scene, scene.app)).kubeconfigs[0] ?? '';
  const args = ['rotate', '--kubeconfig', scene.kubeconfig];
  const before = await stored();

  const fate = await command.runUntilRequest(n, args);

  expect(await isAccepted(await stored()), `killed before request ${n}: the stored credential is dead`).toBe(true);
  expect(await klutch(...args), `killed before request ${n}`).toMatchObject({ code: 0 });
  expect(await isAccepted(await stored()), `killed before request ${n}, then rotated`).toBe(true);
  // kube-apiserver caches the answer about a token for a few seconds.
  await patiently(async () => !(await isAccepted(before)));
  expect(await statusOf(scene.kubeconfig)).toMatchObject({ bindings: [{ api: scene.api.name }], unfinished: [] });
  return fate;
}

/** Binds, then unbinds `what`: killed, and again. */
async function unbindKilledAt(n: number, scene: CrashScene, what: string): Promise<Fate> {
  const { api, app, kubeconfig } = scene;
  const args = ['unbind', what, '--kubeconfig', kubeconfig];
  const bound = await klutch(...scene.bindArgs, '--wait', '--kubeconfig', kubeconfig);
  expect(bound, `before request ${n} is tried`).toMatchObject({ code: 0 });

  const fate = await command.runUntilRequest(n, args);

  const half = await remainsOf(scene, app);
  const status = await statusOf(kubeconfig);
  const shown = [...status.bindings.map(({ api: name }) => name), ...status.unfinished.flatMap(({ apis }) => apis)];
  const isOver = half.secrets.length === 0 && half.binding === undefined;
  if (!isOver) expect(shown, `killed before request ${n}: klutch status does not show it`).toContain(api.name);
  const again = await klutch(...args);
  const isUnknown = isOver && what === api.name;
  expect(again, `killed before request ${n}`).toMatchObject({ code: isUnknown ? 2 : 0 });
  expect(await remainsOf(scene, app)).toMatchObject({ binding: undefined, secrets: [], exported: undefined });
  expect(await app.admin.resource(CustomResourceDefinitions).find({ name: api.name })).toBeUndefined();
  expect(await statusOf(kubeconfig)).toEqual({ bindings: [], unfinished: [] });
  await forgetRequests(scene);
  return fate;
}

/** Finished requests count against a quota for ten minutes; nobody binds and unbinds that often. */
async function forgetRequests({ controlPlane }: CrashScene): Promise<void> {
  const requests = controlPlane.admin.resource(APIServiceExportRequests);
  for (const { metadata } of (await requests.list()).items) {
    const { namespace, name = '' } = metadata;
    await requests.delete({ namespace, name });
  }
}

function suite(tier: Tier, which: 'all' | 'spread'): void {
  it('CLI-34 klutch rotate that is killed leaves a credential that works, and the next run finishes it', async () => {
    const scene = await openCrashScene(tier);
    const bound = await klutch(...scene.bindArgs, '--wait', '--kubeconfig', scene.kubeconfig);
    expect(bound).toMatchObject({ code: 0 });

    expect(await throughCrashPoints(which, (n) => rotateKilledAt(n, scene))).toBeGreaterThan(5);
  }, 900_000);

  it('CLI-33 klutch unbind that is killed is finished by the next run, whichever request it was killed at', async () => {
    const scene = await openCrashScene(tier);

    expect(await throughCrashPoints(which, (n) => unbindKilledAt(n, scene, scene.api.name))).toBeGreaterThan(10);
  }, 900_000);

  it('CLI-33 klutch unbind --all that is killed is finished by the next run, and every registration ends', async () => {
    const scene = await openCrashScene(tier);

    expect(await throughCrashPoints(which, (n) => unbindKilledAt(n, scene, '--all'))).toBeGreaterThan(10);

    await patiently(async () => (await registrationsOf(scene)).length === 0);
  }, 900_000);
}

describe('klutch rotate and unbind that are killed (embedded)', () => suite('embedded', 'all'));
describeReal('klutch rotate and unbind that are killed (real)', () => suite('real', 'spread'));
