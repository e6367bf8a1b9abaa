import {
  type APIServiceExport,
  APIServiceExports,
  annotations,
  apiServiceExportTemplateCrd,
  type Condition,
  ConditionType,
  CustomResourceDefinitions,
  exportedApi,
  findCondition,
  type PermissionClaim,
  sourceSpecHash,
} from '@klutch/api';
import { Namespaces } from '@klutch/kube';
import { createFaults } from '@klutch/kube/testing';
import { expect, it } from 'vitest';
import { templateGraceMs } from '../../packages/backend/src/templates/withdrawal.ts';
import { installCrd } from '../konnector/world.ts';
import { hurryingClock } from './hurrying-clock.ts';
import {
  offer,
  onOwnPlane,
  provide,
  type Registered,
  register,
  removeCrd,
  request,
  type SampleApi,
  sampleApi,
  soon,
  startBackend,
  stayQuiet,
  withdraw,
} from './exports-world.ts';
import { sceneOn } from './service-namespaces-scene.ts';

onOwnPlane('exports', (plane) => {
  const exports = () => plane().admin.resource(APIServiceExports);

  it('BE-46 follow their CRD: a further served version, and names that are dropped', async () => {
    await startBackend(plane());
    const api = sampleApi({ versions: ['v1'] });
    const named = { ...api.crd, spec: { ...api.crd.spec, names: { ...api.crd.spec.names, shortNames: ['wd'] } } };
    await installCrd(plane().admin, named);
    await offer(plane(), api);
    const cluster = await bound(api);
    expect((await exportOf(cluster, api)).spec.names.shortNames).toEqual(['wd']);

    const grown = sampleApi({
      versions: ['v1', 'v2'],
      group: api.type.group,
      properties: { extra: { type: 'string' } },
    });
    await installCrd(plane().admin, grown.crd);

    const followed = await soon(async () => {
      const found = await exportOf(cluster, api);
      return found.spec.versions.length === 2 && found;
    });
    // As the server keeps it: with what it fills in.
    const stored = exportedApi(await plane().admin.resource(CustomResourceDefinitions).get({ name: api.name }));
    expect(followed.spec).toMatchObject({ ...stored });
    expect(followed.spec.names).not.toHaveProperty('shortNames');
    expect(followed.metadata.annotations?.[annotations.sourceSpecHash]).toBe(sourceSpecHash(stored));
    expect(await inSync(cluster, api, 'True')).toBeDefined();
  });

  it('BE-46 say so when the CRD can no longer be exported, and recover', async () => {
    await startBackend(plane());
    const api = sampleApi({ versions: ['v1', 'v2'] });
    await provide(plane(), api);
    const cluster = await bound(api);
    const [v1, v2] = api.crd.spec.versions;
    if (!v1 || !v2) throw new Error('The sample has two versions.');

    const unserved = { ...api.crd, spec: { ...api.crd.spec, versions: [{ ...v1, served: false }, v2] } };
    await installCrd(plane().admin, unserved);

    const broken = await inSync(cluster, api, 'False');
    expect(broken.reason).toBe('CustomResourceDefinitionUpdateFailed');
    expect(broken.message).toContain('its storage version v1 is not served');
    expect((await exportOf(cluster, api)).spec.versions).toHaveLength(2);
    await installCrd(plane().admin, api.crd);
    await inSync(cluster, api, 'True');
  });

  it('BE-47 go with their CRD', async () => {
    await startBackend(plane());
    const [api, other] = [sampleApi(), sampleApi()];
    await provide(plane(), api);
    await provide(plane(), other);
    const cluster = await bound(api);
    await request(cluster, other);
    await inSync(cluster, other, 'True');

    await removeCrd(plane(), api);

    await soon(async () => (await exports().find(refOf(cluster, api))) === undefined);
    expect(await exports().find(refOf(cluster, other))).toBeDefined();
  });

  it('BE-47 go also when the CRD went while no backend was running', async () => {
    const api = sampleApi();
    await provide(plane(), api);
    const earlier = await startBackend(plane());
    const cluster = await bound(api);
    await earlier.stop();
    await removeCrd(plane(), api);
    await soon(
      async () => (await plane().admin.resource(CustomResourceDefinitions).find({ name: api.name })) === undefined,
    );

    await startBackend(plane());

    await soon(async () => (await exports().find(refOf(cluster, api))) === undefined);
  });

  it('BE-48 get the claims of their template when these change', async () => {
    await startBackend(plane());
    const api = sampleApi();
    await provide(plane(), api, { claims: [claim('secrets')] });
    const [one, other] = [await bound(api), await bound(api)];

    await offer(plane(), api, { claims: [claim('secrets'), claim('configmaps')] });
    for (const cluster of [one, other]) await claimed(cluster, api, ['secrets', 'configmaps']);

    await offer(plane(), api, { claims: [] });
    for (const cluster of [one, other]) await claimed(cluster, api, []);
  });

  it('BE-48 outlive their template with the claims they have, and say that it was withdrawn once that is certain', async () => {
    const clock = hurryingClock();
    await startBackend(plane(), { clock });
    const api = sampleApi();
    await provide(plane(), api, { claims: [claim('secrets')] });
    const cluster = await bound(api);

    await withdraw(plane(), api);
    await clock.waitsFor(templateGraceMs);
    await inSync(cluster, api, 'True');
    clock.skip(templateGraceMs);

    const withdrawn = await inSync(cluster, api, 'False');
    expect(withdrawn.reason).toBe('EntitlementWithdrawn');
    expect((await exportOf(cluster, api)).spec.permissionClaims?.map(({ resource }) => resource)).toEqual(['secrets']);
    await offer(plane(), api, { claims: [claim('secrets')] });
    await inSync(cluster, api, 'True');
  });

  it('BE-48 say nothing when their template, or the CRD of templates, is deleted and created again', async () => {
    const clock = hurryingClock();
    const { writes } = await startBackend(plane(), { clock });
    const api = sampleApi();
    await provide(plane(), api);
    const cluster = await bound(api);
    const before = writes.length;

    await withdraw(plane(), api);
    await clock.waitsFor(templateGraceMs);
    await offer(plane(), api);
    const definitions = plane().admin.resource(CustomResourceDefinitions);
    const name = apiServiceExportTemplateCrd.metadata.name ?? '';
    await definitions.delete({ name });
    await soon(async () => (await definitions.find({ name })) === undefined);
    clock.skip(2 * templateGraceMs);
    await stayQuiet(500);
    await installCrd(plane().admin, apiServiceExportTemplateCrd);
    await offer(plane(), api);
    await stayQuiet(500);

    await inSync(cluster, api, 'True');
    expect(writes.slice(before).filter(({ path }) => path.includes('apiserviceexports'))).toEqual([]);
  });

  it('BE-27 BE-48 outlive also that their tenant is no longer admitted, until it is again', async () => {
    await startBackend(plane());
    const api = sampleApi();
    await provide(plane(), api, { allowedTenants: 'team-a' });
    const cluster = await bound(api, 'team-a');

    await offer(plane(), api, { allowedTenants: 'team-b' });
    expect((await inSync(cluster, api, 'False')).message).toContain('no longer admits this tenant');

    await plane()
      .admin.resource(Namespaces)
      .patch(
        { name: cluster.name },
        { type: 'merge', patch: { metadata: { annotations: { [annotations.tenantName]: 'team-b' } } } },
      );
    await inSync(cluster, api, 'True');
  });

  it('BE-46 are put right after an edit by hand, and conditions of others stay', async () => {
    await startBackend(plane());
    const api = sampleApi();
    await provide(plane(), api);
    const cluster = await bound(api);
    const connected = { type: 'Connected', status: 'True', lastTransitionTime: '2026-01-01T00:00:00Z' };
    const { conditions = [] } = (await exportOf(cluster, api)).status ?? {};
    await exports().patch(
      refOf(cluster, api),
      { type: 'merge', patch: { status: { conditions: [...conditions, connected] } } },
      { subresource: 'status' },
    );

    await exports().patch(refOf(cluster, api), { type: 'merge', patch: { spec: { names: { kind: 'Bent' } } } });
    await soon(async () => (await exportOf(cluster, api)).spec.names.kind === 'Widget');

    await offer(plane(), api, { allowedTenants: 'others' });
    await inSync(cluster, api, 'False');
    expect(findCondition((await exportOf(cluster, api)).status?.conditions, 'Connected')?.status).toBe('True');
  });

  it.each(['the export', 'its status'])(
    'BE-46 are finished by the next backend when one dies before it wrote %s',
    async (what) => {
      const api = sampleApi({ versions: ['v1'] });
      await provide(plane(), api);
      const first = await startBackend(plane());
      const cluster = await bound(api);
      await first.stop();
      const faults = createFaults();
      const isStatus = what === 'its status';
      const hit = faults.add({
        fault: { type: 'drop' },
        when: ({ method, path }) =>
          method === 'PATCH' &&
          path.includes(`/apiserviceexports/${api.name}`) &&
          path.includes('/status') === isStatus,
      });
      const dying = await startBackend(plane(), { interceptors: [faults.interceptor] });
      const grown = sampleApi({ versions: ['v1', 'v2'], group: api.type.group });
      await installCrd(plane().admin, grown.crd);
      if (isStatus) await offer(plane(), api, { allowedTenants: 'others' });
      await soon(() => hit.hits > 0);
      await dying.stop();

      await startBackend(plane());

      await soon(async () => (await exportOf(cluster, api)).spec.versions.length === 2);
      await inSync(cluster, api, isStatus ? 'False' : 'True');
    },
  );

  it('BE-46 cause no write at rest, however often they are looked at', async () => {
    const backend = await startBackend(plane());
    const [api, other] = [sampleApi({ versions: ['v1', 'v1beta1'] }), sampleApi()];
    await provide(plane(), api, { claims: [claim('secrets'), { resource: 'configmaps', version: 'v1' }] });
    await provide(plane(), other);
    const cluster = await bound(api);
    const before = backend.writes.length;

    for (let look = 0; look < 5; look += 1) {
      backend.exports.enqueue(`${cluster.name}/${api.name}`);
      // What comes after it is done when the next one is in step: keys of one namespace take turns in order.
      await request(cluster, other, `look-${look}`);
      await inSync(cluster, other, 'True');
      await exports().delete(refOf(cluster, other));
      await soon(async () => (await exports().find(refOf(cluster, other))) === undefined);
    }

    const written = backend.writes.slice(before).filter(({ path }) => path.includes(api.name));
    expect(written).toEqual([]);
  });

  it('BE-46 BE-43 BE-36 cause no write when a backend starts again, nor do requests and service namespaces', async () => {
    const [api, later] = [sampleApi(), sampleApi()];
    const settings = { apis: [api, later], claims: [claim('secrets')] };
    const earlier = await startBackend(plane(), settings);
    await provide(plane(), api, { claims: [claim('secrets')] });
    await provide(plane(), later);
    const cluster = await bound(api);
    const { want, servedBy } = sceneOn(plane());
    await want(cluster, 'team');
    await servedBy(cluster, 'team');
    await earlier.stop();

    const backend = await startBackend(plane(), settings);

    // What was there is looked at before what comes.
    await request(cluster, later);
    await inSync(cluster, later, 'True');
    await want(cluster, 'later');
    const made = await servedBy(cluster, 'later');
    const isNew = (path: string) => ['/later', `/${later.name}`, `/${made}`].some((part) => path.includes(part));
    const isCreated = (path: string) => /\/(apiserviceexports|namespaces)(\?|$)/.test(path);
    // What is exported later is granted in the namespaces that are there, too.
    const written = backend.writes.filter(
      ({ path, body }) =>
        path.includes(cluster.name) && !isNew(path) && !isCreated(path) && !body?.includes(later.type.group),
    );
    expect(written).toEqual([]);
  });

  function refOf(cluster: Registered, api: SampleApi) {
    return { namespace: cluster.name, name: api.name };
  }

  /** An app cluster that has bound the API. */
  async function bound(api: SampleApi, tenant?: string): Promise<Registered> {
    const cluster = await register(plane(), tenant);
    await request(cluster, api);
    await inSync(cluster, api, 'True');
    return cluster;
  }

  async function exportOf(cluster: Registered, api: SampleApi): Promise<APIServiceExport> {
    return await exports().get(refOf(cluster, api));
  }

  async function inSync(cluster: Registered, api: SampleApi, status: string): Promise<Condition> {
    return await soon(async () => {
      const found = await exports().find(refOf(cluster, api));
      const condition = findCondition(found?.status?.conditions, ConditionType.ProviderInSync);
      return condition?.status === status && condition;
    });
  }

  async function claimed(cluster: Registered, api: SampleApi, resources: readonly string[]): Promise<void> {
    await soon(async () => {
      const { permissionClaims = [] } = (await exportOf(cluster, api)).spec;
      return permissionClaims.map(({ resource }) => resource).join() === resources.join();
    });
  }
});

function claim(resource: string): PermissionClaim {
  return { group: '', resource, version: 'v1', selector: { owner: 'Provider' } };
}
