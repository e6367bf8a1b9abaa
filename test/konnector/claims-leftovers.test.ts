import { type AcceptablePermissionClaim, annotations, APIServiceBindings, labels } from '@klutch/api';
import { ConfigMaps, Secrets } from '@klutch/kube';
import { eventually } from '@klutch/kube/testing';
import { afterEach, expect, it, vi } from 'vitest';
import { configMap, secret } from './claims-scene.ts';
import { runKonnector } from './run-konnector.ts';
import { createTenant, onBothTiers, openAppSide, sampleApi, stayQuiet, widget } from './world.ts';

vi.setConfig({ testTimeout: 180_000 });

const soon = { withinMs: 60_000, everyMs: 20 };
const everywhere = { names: ['*'], namespaces: ['*'] };
const secrets = {
  group: '',
  resource: 'secrets',
  version: 'v1',
  selector: { ...everywhere, owner: 'Provider' },
} as const;
const configMaps = {
  group: '',
  resource: 'configmaps',
  version: 'v1',
  selector: { names: ['settings'], namespaces: ['*'], owner: 'Consumer' },
} as const;
const asked = [secrets, configMaps];
const decided = (state: 'Accepted' | 'Rejected') => asked.map((claim) => ({ ...claim, state }));

onBothTiers('copies of claims that nobody accepts any more', (clusters) => {
  const endings: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const end of endings.splice(0).reverse()) await end();
  });

  /** A binding with accepted claims, and a copy on either side. */
  async function carried() {
    const { app, controlPlane } = clusters();
    const api = sampleApi();
    const tenant = await createTenant(controlPlane);
    endings.push(() => tenant.close());
    await tenant.publish(api, { claims: asked });
    const side = await openAppSide(app);
    await side.storeKubeconfig(await tenant.offered());
    await side.bind(api, { claims: decided('Accepted') });
    const start = async () => {
      const konnector = await runKonnector(side, { apis: [api], claims: asked });
      endings.push(() => konnector.stop());
      return konnector;
    };
    const konnector = await start();
    await side.condition(api, 'Ready', 'True');
    const namespace = (await side.namespace()).metadata.name;
    await app.admin.resource(api.type).create(widget(api, 'w', namespace, { size: 1 }));
    const service = await tenant.serviceNamespace(namespace);
    const [here, there] = [app.admin.resource(Secrets), controlPlane.admin.resource(ConfigMaps)];
    await controlPlane.admin.resource(Secrets).create(secret(service, 'creds', { password: 'p' }));
    await app.admin.resource(ConfigMaps).create(configMap(namespace, 'settings', { a: '1' }));
    const copy = await eventually(() => here.find({ namespace, name: 'creds' }), soon);
    await eventually(() => there.find({ namespace: service, name: 'settings' }), soon);
    const decide = async (permissionClaims: readonly AcceptablePermissionClaim[] | null) => {
      await app.admin
        .resource(APIServiceBindings)
        .patch(
          { namespace: side.bindingNamespace, name: api.name },
          { type: 'merge', patch: { spec: { permissionClaims } } },
        );
    };
    const areGone = () =>
      eventually(async () => {
        const left = [
          await here.find({ namespace, name: 'creds' }),
          await there.find({ namespace: service, name: 'settings' }),
        ];
        return left.every((one) => one === undefined);
      }, soon);
    const record = async () => (await side.binding(api)).metadata.annotations?.[annotations.claimedTypes];
    return { api, side, namespace, service, here, there, copy, konnector, start, decide, areGone, record };
  }

  it.each([
    ['rejected', decided('Rejected')],
    ['removed from the binding', null],
  ] as const)(
    'KON-46 go when the claims were %s while no konnector ran, and nothing else goes',
    async (_, decision) => {
      const { api, namespace, service, here, copy, konnector, start, decide, areGone, record } = await carried();
      const { app, controlPlane } = clusters();
      expect(await record()).toBe('/v1/configmaps,/v1/secrets');
      await konnector.stop();
      const { annotations: marks, labels: own } = copy.metadata;
      const label = { [labels.claimedFrom]: 'Provider' };
      const elsewhere = { ...marks, [annotations.sourceCluster]: 'another-tenant' };
      await here.create(secret(namespace, 'labelled', { a: '1' }, { metadata: { labels: label } }));
      await here.create(secret(namespace, 'copied', { a: '1' }, { metadata: { labels: own, annotations: marks } }));
      await here.create(secret(namespace, 'theirs', { a: '1' }, { metadata: { labels: own, annotations: elsewhere } }));
      await decide(decision);

      const again = await start();
      await areGone();
      await eventually(async () => (await record()) === undefined, soon);

      const left = (await here.list({ namespace })).items.map(({ metadata }) => metadata.name);
      expect(left).toEqual(expect.arrayContaining(['copied', 'labelled', 'theirs']));
      expect(await controlPlane.admin.resource(Secrets).find({ namespace: service, name: 'creds' })).toBeDefined();
      expect(await app.admin.resource(ConfigMaps).find({ namespace, name: 'settings' })).toBeDefined();
      expect(await controlPlane.admin.resource(api.type).find({ namespace: service, name: 'w' })).toBeDefined();
      const count = again.writes.length;
      await stayQuiet(1_000);
      expect(
        again.writes.slice(count).filter(({ path }) => /secrets|configmaps|apiservicebindings\/[^/]+$/.test(path)),
      ).toEqual([]);
    },
  );

  it('KON-46 go when a claim is removed from a running binding, and come back with it', async () => {
    const { namespace, here, decide, areGone, record } = await carried();

    await decide(null);
    await areGone();
    await eventually(async () => (await record()) === undefined, soon);

    await decide(decided('Accepted'));
    await eventually(() => here.find({ namespace, name: 'creds' }), soon);
    expect(await record()).toBe('/v1/configmaps,/v1/secrets');
  });

  it('KON-59 stay when the binding was deleted while no konnector ran', async () => {
    const { api, side, namespace, service, here, there, konnector, start } = await carried();
    await konnector.stop();
    await side.cluster.admin.resource(APIServiceBindings).delete({ namespace: side.bindingNamespace, name: api.name });
    const other = sampleApi();
    await side.bind(other, { claims: decided('Rejected') });

    await start();
    await side.condition(other, 'Heartbeating', 'True');
    await stayQuiet(2_000);

    expect(await here.find({ namespace, name: 'creds' })).toBeDefined();
    expect(await there.find({ namespace: service, name: 'settings' })).toBeDefined();
  });
});
