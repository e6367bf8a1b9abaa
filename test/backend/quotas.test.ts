import { annotations, APIServiceExportRequests, APIServiceNamespaces } from '@klutch/api';
import { isKubeError, type KubeObject, type ResourceType, Secrets } from '@klutch/kube';
import { expect, it, onTestFinished } from 'vitest';
import { ResourceQuotas, tenantQuota } from '../../packages/backend/src/quotas/resource-quota.ts';
import { type BoundCluster, bindAsMachine, settle } from '../bind/machine.ts';
import { onOwnPlane, provide, type SampleApi, sampleApi, type TestCluster, unique } from './exports-world.ts';
import { launch, patiently, webFor } from './process-world.ts';
import { startScriptedIssuer } from './scripted-issuer.ts';
import { baseUrl } from './web-world.ts';

const claim = { resource: 'secrets', version: 'v1', selector: { owner: 'Consumer' } } as const;
const quotas = { clustersPerTenant: 10, namespacesPerCluster: 3, objectsPerNamespace: 4 };

onOwnPlane('quotas of a tenant', (plane) => {
  it('let a tenant create as many objects as the quota says, by whatever request, and no more', async () => {
    const { api, tenant } = await bound(plane());
    const { client, clusterNamespace, serviceNamespace } = tenant;
    // While nobody counts a new type, nothing is refused.
    await client.resource(api.type).create(object(api.type, 'first', serviceNamespace));
    await enforced(plane(), serviceNamespace, [`count/${api.name}`, 'count/secrets']);
    await enforced(plane(), clusterNamespace, [
      'count/apiserviceexportrequests.klutch.anynines.com',
      'count/apiservicenamespaces.klutch.anynines.com',
    ]);

    const claims = await flood(30, (name) =>
      client.resource(api.type).create(object(api.type, name, serviceNamespace)),
    );
    expect([claims.created, claims.refusals]).toEqual([3, [exceeded(`count/${api.name}`, 4)]]);
    const applied = client
      .resource(api.type)
      .apply(object(api.type, 'applied', serviceNamespace), { fieldManager: 'thief' });
    await expect(applied).rejects.toThrow(exceeded(`count/${api.name}`, 4));

    const own = { [annotations.resourceOwner]: 'Consumer' };
    const secrets = await flood(30, (name) => {
      const secret = object(Secrets, name, serviceNamespace);
      return client.resource(Secrets).create({ ...secret, metadata: { ...secret.metadata, annotations: own } });
    });
    expect([secrets.created, secrets.refusals]).toEqual([4, [exceeded('count/secrets', 4)]]);

    const requests = await flood(30, (name) =>
      client.resource(APIServiceExportRequests).create({
        ...object(APIServiceExportRequests, name, clusterNamespace),
        spec: { resources: [{ group: 'example.org', resource: 'nothings' }] },
      }),
    );
    expect(requests.created).toBeLessThanOrEqual(6);
    expect(requests.refusals).toEqual([exceeded('count/apiserviceexportrequests.klutch.anynines.com', 6)]);
    const places = await flood(30, (name) =>
      client.resource(APIServiceNamespaces).create(object(APIServiceNamespaces, name, clusterNamespace)),
    );
    expect([places.created, places.refusals]).toEqual([
      5,
      [exceeded('count/apiservicenamespaces.klutch.anynines.com', 6)],
    ]);
  }, 300_000);

  it('take no part in what the tenant may change: it can neither raise nor delete them', async () => {
    const { tenant } = await bound(plane());
    const own = tenant.client.resource(ResourceQuotas);

    for (const namespace of [tenant.clusterNamespace, tenant.serviceNamespace]) {
      const place = { namespace, name: tenantQuota };
      await expect(own.delete(place)).rejects.toMatchObject({ code: 'KUBE_FORBIDDEN' });
      await expect(own.patch(place, { type: 'merge', patch: { spec: { hard: {} } } })).rejects.toMatchObject({
        code: 'KUBE_FORBIDDEN',
      });
    }
  }, 300_000);

  it('come back as they were when an operator changes or deletes them', async () => {
    const { api, tenant } = await bound(plane());
    const namespace = tenant.serviceNamespace;
    const names = [`count/${api.name}`, 'count/secrets'];
    const all = plane().admin.resource(ResourceQuotas);
    await enforced(plane(), namespace, names);

    const patch = { spec: { hard: { 'count/secrets': '9999' } } };
    await all.patch({ namespace, name: tenantQuota }, { type: 'merge', patch });
    await patiently(
      async () => (await all.get({ namespace, name: tenantQuota })).spec?.hard?.['count/secrets'] === '4',
    );
    await all.delete({ namespace, name: tenantQuota });
    await enforced(plane(), namespace, names);
  }, 300_000);

  it('come with a limit on requests: one with ten thousand resources is refused', async () => {
    const { tenant } = await bound(plane());
    const resources = Array.from({ length: 10_000 }, (_, index) => ({ resource: `things${index}` }));
    const request = { ...object(APIServiceExportRequests, 'many', tenant.clusterNamespace), spec: { resources } };

    await expect(tenant.client.resource(APIServiceExportRequests).create(request)).rejects.toThrow(
      /spec\.resources: .*must have at most 100 items/,
    );
  }, 300_000);
});

/** An app cluster that has bound an API by the process itself, with the rights it generates for itself. */
async function bound(plane: TestCluster): Promise<{ readonly api: SampleApi; readonly tenant: BoundCluster }> {
  const api = sampleApi();
  const issuer = await startScriptedIssuer({ clientId: 'klutch', clientSecret: 'client-secret' });
  onTestFinished(() => issuer.close());
  await provide(plane, api, { claims: [claim] });
  const launched = await launch(plane, {
    offers: [{ api, claims: [claim] }],
    web: webFor(issuer, baseUrl),
    options: { quotas },
  });
  const port = Number(new URL(launched.backend.url()).port);
  const answer = await patiently(async () => {
    const given = await bindAsMachine({ port, issuer, apis: [api], clusterId: unique('app') });
    return given.status === 200 && given;
  });
  const tenant = await settle(answer, [api]);
  // Rights in a new namespace reach the authoriser a moment later.
  await patiently(() => tenant.client.resource(api.type).list({ namespace: tenant.serviceNamespace }));
  return { api, tenant };
}

/** Waits until the quota of a namespace counts these, and no others. */
async function enforced({ admin }: TestCluster, namespace: string, names: readonly string[]): Promise<void> {
  await patiently(async () => {
    const quota = await admin.resource(ResourceQuotas).find({ namespace, name: tenantQuota });
    const { hard = {}, used = {} } = quota?.status ?? {};
    return names.every((name) => hard[name] !== undefined && used[name] !== undefined);
  });
}

/** Many creations at once: how many work, and what the others are told, each sentence once. */
async function flood(
  count: number,
  create: (name: string) => Promise<unknown>,
): Promise<{ readonly created: number; readonly refusals: readonly string[] }> {
  const outcomes = await Promise.allSettled(Array.from({ length: count }, () => create(unique('flood'))));
  const refusals = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [refusalOf(outcome.reason)] : []));
  return { created: count - refusals.length, refusals: [...new Set(refusals)] };
}

function refusalOf(error: unknown): string {
  if (!isKubeError(error, 'KUBE_FORBIDDEN')) throw error;
  const { message = '' } = error.body ?? {};
  return /exceeded quota: .*$/.exec(message)?.[0] ?? message;
}

function exceeded(name: string, limit: number): string {
  return `exceeded quota: ${tenantQuota}, requested: ${name}=1, used: ${name}=${limit}, limited: ${name}=${limit}`;
}

function object<T extends KubeObject>({ group, version, kind }: ResourceType<T>, name: string, namespace: string): T {
  return { apiVersion: group === '' ? version : `${group}/${version}`, kind, metadata: { name, namespace } } as T;
}
