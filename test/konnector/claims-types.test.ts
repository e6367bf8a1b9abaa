import { isDeepStrictEqual } from 'node:util';
import { ConfigMaps, type KubeClient, type UnknownObject } from '@klutch/kube';
import { eventually } from '@klutch/kube/testing';
import { expect, it, vi } from 'vitest';
import { type Claim, configMap, openClaimsScene, passOne, secretsAndConfigMaps } from './claims-scene.ts';
import { installCrd, onBothTiers, type SampleApi, sampleApi, stayQuiet, widget } from './world.ts';

vi.setConfig({ testTimeout: 120_000 });

const secrets: Claim = { group: '', resource: 'secrets', selector: { owner: 'Provider' } };

onBothTiers('claimed types', (clusters) => {
  it('KON-49 carries objects of custom types in both directions, with defaults that only one side knows', async () => {
    const there = sampleApi();
    const here = sampleApi({ group: there.type.group, properties: { grade: { type: 'string', default: 'standard' } } });
    const { app, controlPlane, appNamespace, service, start, close } = await openClaimsScene(clusters(), {
      granted: [claimOn(there)],
    });
    await installCrd(controlPlane, there.crd);
    await installCrd(app, here.crd);
    const { objectWrites } = await start([{ ...claimOn(there), selector: {} }]);

    await controlPlane.resource(there.type).create(widget(there, 'theirs', service, { size: 1, tags: ['a'] }));
    await app.resource(here.type).create(widget(here, 'mine', appNamespace, { size: 2 }));
    await specBecomes(app, here, appNamespace, 'theirs', { size: 1, tags: ['a'], grade: 'standard' });
    await specBecomes(controlPlane, there, service, 'mine', { size: 2 });
    await stayQuiet(1_500);
    const before = objectWrites().length;
    await stayQuiet(1_500);
    expect(objectWrites()).toHaveLength(before);

    const edit = (spec: object) => ({ type: 'merge', patch: { spec } }) as const;
    await controlPlane
      .resource(there.type)
      .patch({ namespace: service, name: 'theirs' }, edit({ size: 5, tags: null }));
    await specBecomes(app, here, appNamespace, 'theirs', { size: 5, grade: 'standard' });
    await app.resource(here.type).patch({ namespace: appNamespace, name: 'theirs' }, edit({ size: 9, plan: 'x' }));
    await specBecomes(app, here, appNamespace, 'theirs', { size: 5, grade: 'standard' });
    await app.resource(here.type).patch({ namespace: appNamespace, name: 'mine' }, edit({ size: 3 }));
    await specBecomes(controlPlane, there, service, 'mine', { size: 3 });
    await controlPlane.resource(there.type).delete({ namespace: service, name: 'theirs' });
    await specBecomes(app, here, appNamespace, 'theirs', undefined);
    await close();
  });

  it('KON-50 a type that the app cluster lacks degrades its claims only, until it is there', async () => {
    const api = sampleApi();
    const { app, controlPlane, appNamespace, service, start, close } = await openClaimsScene(clusters(), {
      granted: [claimOn(api), ...secretsAndConfigMaps],
    });
    await installCrd(controlPlane, api.crd);
    await controlPlane.resource(api.type).create(widget(api, 'w', service, { size: 1 }));
    const other = await start([secrets]);
    const lacking = await start([{ ...claimOn(api), selector: { owner: 'Provider' } }], { wait: false });
    expect(await lacking.becomes('False', 'ClaimUnavailable')).toContain('The app cluster does not serve');
    await passOne(controlPlane, service, app, appNamespace);
    await other.becomes('True');

    await installCrd(app, api.crd);
    await specBecomes(app, api, appNamespace, 'w', { size: 1 });
    await lacking.becomes('True');
    await close();
  });

  it('KON-50 a type that may not be read on the control plane degrades its claims only, until it may', async () => {
    const { app, controlPlane, appNamespace, service, grant, start, close } = await openClaimsScene(clusters(), {
      granted: secretsAndConfigMaps.slice(0, 1),
    });
    await controlPlane.resource(ConfigMaps).create(configMap(service, 'settings', { a: '1' }));
    const other = await start([secrets]);
    const forbidden = await start([{ group: '', resource: 'configmaps', selector: { owner: 'Provider' } }]);
    expect(await forbidden.becomes('False', 'ClaimUnavailable')).toContain(
      `may not be read on the control plane in namespace ${service}`,
    );
    await passOne(controlPlane, service, app, appNamespace);
    await other.becomes('True');

    await grant(secretsAndConfigMaps);
    await eventually(() => app.resource(ConfigMaps).find({ namespace: appNamespace, name: 'settings' }), {
      withinMs: 60_000,
    });
    await forbidden.becomes('True');
    await close();
  });

  it('refuses cluster-scoped types', async () => {
    const { start, close } = await openClaimsScene(clusters());
    const { becomes } = await start([{ group: '', resource: 'namespaces' }], { wait: false });
    expect(await becomes('False', 'ClaimUnavailable')).toContain('cluster-scoped');
    await close();
  });
});

function claimOn(api: SampleApi) {
  return { group: api.type.group, resource: api.type.plural, version: api.type.version };
}

/** Waits until an object has that spec; undefined waits until it is gone. */
async function specBecomes(
  client: KubeClient,
  api: SampleApi,
  namespace: string,
  name: string,
  spec: object | undefined,
): Promise<void> {
  let found: UnknownObject | undefined;
  try {
    await eventually(
      async () => {
        found = await client.resource(api.type).find({ namespace, name });
        return isDeepStrictEqual(found?.['spec'], spec);
      },
      { withinMs: 40_000, everyMs: 10 },
    );
  } catch {
    expect(found?.['spec']).toEqual(spec);
  }
}
