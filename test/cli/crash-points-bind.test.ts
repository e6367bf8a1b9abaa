import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Tier } from '@klutch/kit';
import { describeReal } from '@klutch/kit/vitest';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { packageVersion } from '../../packages/cli/src/package-version.ts';
import { scratchFolder } from '../../packages/cli/src/testing/run-klutch.ts';
import { isAccepted } from '../bind/scene.ts';
import { openOwnCluster } from '../konnector/world.ts';
import { buildKillableKlutch, type Fate, type KillableKlutch, throughCrashPoints } from './crash-points.ts';
import { type CrashScene, klutch, openCrashScene, remainsOf, statusOf } from './crash-scene.ts';
import { Deployments, konnectorRef, konnectorRepository } from './go-konnector.ts';

let command: KillableKlutch;
beforeAll(async () => {
  command = await buildKillableKlutch();
});
afterAll(() => command.remove());

/** Kills a bind in an app cluster of its own, binds again, and checks that all is bound and nothing is left over. */
async function bindKilledAt(n: number, tier: Tier, scene: CrashScene): Promise<Fate> {
  const app = await openOwnCluster(tier);
  try {
    const kubeconfig = join(await scratchFolder(), 'config');
    await writeFile(kubeconfig, await app.kubeconfig(), { mode: 0o600 });
    const args = [...scene.bindArgs, '--kubeconfig', kubeconfig];
    const { name } = scene.api;

    const fate = await command.runUntilRequest(n, args);

    const half = await remainsOf(scene, app);
    const status = await statusOf(kubeconfig);
    const shown = [...status.bindings.map(({ api }) => api), ...status.unfinished.flatMap(({ apis }) => apis)];
    if (half.exported || half.binding) expect(shown, 'klutch status does not show it').toContain(name);
    if (half.secrets.length > 0) expect([...status.bindings, ...status.unfinished]).not.toEqual([]);

    expect(await klutch(...args)).toMatchObject({ code: 0 });

    const whole = await remainsOf(scene, app);
    expect(whole).toMatchObject({ binding: { metadata: { name } }, exported: { metadata: { name } } });
    expect(whole.binding?.spec?.kubeconfigSecretRef.name).toBe(whole.secrets[0]?.metadata.name);
    expect(whole.kubeconfigs).toHaveLength(1);
    expect(await isAccepted(whole.kubeconfigs[0] ?? '')).toBe(true);
    expect(await statusOf(kubeconfig)).toMatchObject({ bindings: [{ api: name }], unfinished: [] });
    const image = `${konnectorRepository}:v${await packageVersion()}`;
    expect(await app.admin.resource(Deployments).get(konnectorRef)).toMatchObject({
      spec: { template: { spec: { containers: [{ image }] } } },
    });
    return fate;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`Killed before request ${n}: ${reason}`, { cause: error });
  } finally {
    await app.close();
  }
}

function suite(tier: Tier, which: 'all' | 'spread'): void {
  it('klutch bind that is killed is finished by the next run, whichever request it was killed at', async () => {
    const scene = await openCrashScene(tier);

    expect(await throughCrashPoints(which, (n) => bindKilledAt(n, tier, scene))).toBeGreaterThan(30);
  }, 900_000);
}

describe('klutch bind that is killed (embedded)', () => suite('embedded', 'all'));
describeReal('klutch bind that is killed (real)', () => suite('real', 'spread'));
