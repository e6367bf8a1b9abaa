import type { Tier } from '@klutch/kit';
import { describeReal } from '@klutch/kit/vitest';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { patiently } from '../backend/process-world.ts';
import { isAccepted } from '../bind/scene.ts';
import { buildKillableKlutch, type Fate, type KillableKlutch, throughCrashPoints } from './crash-points.ts';
import { type CrashScene, klutch, openCrashScene, remainsOf, statusOf } from './crash-scene.ts';

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

function suite(tier: Tier, which: 'all' | 'spread'): void {
  it('CLI-34 klutch rotate that is killed leaves a credential that works, and the next run finishes it', async () => {
    const scene = await openCrashScene(tier);
    const bound = await klutch(...scene.bindArgs, '--wait', '--kubeconfig', scene.kubeconfig);
    expect(bound).toMatchObject({ code: 0 });

    expect(await throughCrashPoints(which, (n) => rotateKilledAt(n, scene))).toBeGreaterThan(5);
  }, 900_000);
}

describe('klutch rotate that is killed (embedded)', () => suite('embedded', 'all'));
describeReal('klutch rotate that is killed (real)', () => suite('real', 'spread'));
