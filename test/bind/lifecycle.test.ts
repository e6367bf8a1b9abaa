import { APIServiceBindings, APIServiceExports, appCluster as names, CustomResourceDefinitions } from '@klutch/api';
import type { Tier } from '@klutch/kit';
import { describeReal } from '@klutch/kit/vitest';
import { Secrets } from '@klutch/kube';
import { describe, expect, it } from 'vitest';
import { patiently } from '../backend/process-world.ts';
import { bindAsPerson, claimWidget, embeddedIssuer, storedKubeconfig } from './person.ts';
import { claim, isAccepted, openScene, type Scene } from './scene.ts';

async function run(scene: Scene, ...args: string[]) {
  const command = scene.klutch(args);
  const code = await command.ended();
  return { code, out: command.out(), err: command.err() };
}

function lifecycle(tier: Tier): void {
  it('CLI-32 CLI-33 CLI-34 BE-42 S-24 goes from bind to unbind with one command each', async () => {
    const scene = await openScene(tier, { issuer: embeddedIssuer });
    const { app, controlPlane, api } = scene;
    await bindAsPerson(scene);

    const serviceNamespace = await claimWidget(scene, 'w1');
    const secret = (name: string, namespace: string) => ({
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name, namespace },
      data: { a: 'Yg==' },
    });
    await controlPlane.admin.resource(Secrets).create(secret('from-provider', serviceNamespace));
    await app.admin.resource(Secrets).create(secret('of-the-user', 'team-a'));
    await patiently(() => app.admin.resource(Secrets).find({ namespace: 'team-a', name: 'from-provider' }));
    const above = await controlPlane.admin.resource(Secrets).list({ namespace: serviceNamespace });
    expect(above.items.map(({ metadata }) => metadata.name)).not.toContain('of-the-user');

    const status = await run(scene, 'status', '-o', 'json');
    expect(status.code).toBe(0);
    expect(JSON.parse(status.out)).toMatchObject({
      bindings: [
        { api: api.name, provider: 'Acme', ready: 'True', konnectorVersion: expect.stringContaining('1.2.3') },
      ],
    });
    const [reported] = (JSON.parse(status.out) as { bindings: { lastHeartbeat: string; credentialExpires: string }[] })
      .bindings;
    expect(Date.parse(reported?.lastHeartbeat ?? '')).toBeGreaterThan(0);
    expect(Date.parse(reported?.credentialExpires ?? '')).toBeGreaterThan(Date.now());
    expect((await run(scene, 'services')).out).toContain(api.name);
    expect((await run(scene, 'services', api.type.kind)).out).toMatch(/spec\.size +integer/);
    const offered = await run(scene, 'services', '--offered', '-o', 'json');
    expect(JSON.parse(offered.out)).toMatchObject({
      offers: [
        { name: api.name, kind: api.type.kind, isBound: true, provider: scene.provider, permissionClaims: [claim] },
      ],
    });

    const before = await storedKubeconfig(app.admin);
    expect(await run(scene, 'rotate')).toMatchObject({ code: 0 });
    const after = await storedKubeconfig(app.admin);
    expect(after).not.toBe(before);
    // The API server remembers tokens that it has seen for a few seconds.
    await patiently(async () => !(await isAccepted(before)));
    expect(await isAccepted(after)).toBe(true);
    await claimWidget(scene, 'w2');

    const refused = await run(scene, 'unbind', api.name);
    expect(refused).toMatchObject({ code: 6, err: expect.stringContaining('team-a/w1, team-a/w2') });
    expect(
      await app.admin.resource(APIServiceBindings).find({ namespace: names.namespace, name: api.name }),
    ).toBeDefined();

    const forced = await run(scene, 'unbind', api.name, '--force', '--yes');
    expect(forced).toMatchObject({ code: 0 });
    expect(await app.admin.resource(CustomResourceDefinitions).find({ name: api.name })).toBeUndefined();
    expect((await controlPlane.admin.resource(api.type).list()).items).toEqual([]);
    await patiently(async () => (await controlPlane.admin.resource(APIServiceExports).list()).items.length === 0);
    expect(await storedKubeconfig(app.admin)).toBe('');
  }, 300_000);
}

describe('an app cluster (embedded)', () => lifecycle('embedded'));
describeReal('an app cluster (real)', () => lifecycle('real'));
