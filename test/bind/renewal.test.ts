import type { Tier } from '@klutch/kit';
import { describeReal } from '@klutch/kit/vitest';
import { ClusterBindings } from '@klutch/api';
import { describe, expect, it } from 'vitest';
import { launch, patiently } from '../backend/process-world.ts';
import { shiftableClock } from '../backend/tenants-world.ts';
import { bindAsPerson, claimWidget, embeddedIssuer, storedKubeconfig } from './person.ts';
import { isAccepted, openScene } from './scene.ts';

const lifetimeSeconds = 600;
const graceSeconds = 60;

function renewal(tier: Tier): void {
  it('BE-58 renews a credential that comes close to its end; the konnector takes the new one, and sync goes on', async () => {
    const clock = shiftableClock();
    const credentials = { lifetimeSeconds, graceSeconds, expirySeconds: 30 * 86_400 };
    const scene = await openScene(tier, { issuer: embeddedIssuer, credentials, clock });
    const { app, controlPlane } = scene;
    await bindAsPerson(scene);
    await claimWidget(scene, 'before');
    const old = await storedKubeconfig(app.admin);
    const lastHeard = async () => {
      const { items } = await controlPlane.admin.resource(ClusterBindings).list();
      return Date.parse(items[0]?.status?.lastHeartbeatTime ?? '');
    };

    // A leader that starts looks at every credential, as the one before does when its time has come.
    await scene.backend.stop();
    clock.shift((lifetimeSeconds / 2 + 1) * 1000);
    const renewing = await launch(controlPlane, { of: scene.backend, clock });
    const renewed = await patiently(async () => {
      const stored = await storedKubeconfig(app.admin);
      return stored !== old && stored;
    });
    expect(await isAccepted(renewed)).toBe(true);
    await claimWidget(scene, 'renewed');

    const retired = () => renewing.writes.some(({ body = '' }) => body.includes('retire-at'));
    await patiently(retired);
    await renewing.stop();
    clock.shift(2 * graceSeconds * 1000 + 1_000);
    const after = clock.date().getTime();
    await patiently(async () => (await lastHeard()) >= after);
    await launch(controlPlane, { of: scene.backend, clock });

    await patiently(async () => !(await isAccepted(old)));
    expect(await storedKubeconfig(app.admin)).toBe(renewed);
    await claimWidget(scene, 'after');
  }, 300_000);
}

describe('a credential of a konnector (embedded)', () => renewal('embedded'));
describeReal('a credential of a konnector (real)', () => renewal('real'));
