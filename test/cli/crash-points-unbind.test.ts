import { APIServiceExportRequests, CustomResourceDefinitions } from '@klutch/api';
import type { Tier } from '@klutch/kit';
import { describeReal } from '@klutch/kit/vitest';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { patiently } from '../backend/process-world.ts';
import { buildKillableKlutch, type Fate, type KillableKlutch, throughCrashPoints } from './crash-points.ts';
import { type CrashScene, klutch, openCrashScene, registrationsOf, remainsOf, statusOf } from './crash-scene.ts';

let command: KillableKlutch;
beforeAll(async () => {
  command = await buildKillableKlutch();
});
afterAll(() => command.remove());

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

describe('klutch unbind that is killed (embedded)', () => suite('embedded', 'all'));
describeReal('klutch unbind that is killed (real)', () => suite('real', 'spread'));
