import { APIServiceExportRequests, APIServiceExports, apiVersion } from '@klutch/api';
import { ConfigMaps, isKubeError, type KubeClient, type KubeObject, type ResourceType } from '@klutch/kube';
import { expect, it, onTestFinished } from 'vitest';
import { Roles } from '../../packages/backend/src/objects/rbac.ts';
import {
  offer,
  onOwnPlane,
  provide,
  type SampleApi,
  sampleApi,
  type TestCluster,
  unique,
} from '../backend/exports-world.ts';
import { launch, type Offered, patiently, webFor } from '../backend/process-world.ts';
import { startScriptedIssuer } from '../backend/scripted-issuer.ts';
import { baseUrl } from '../backend/web-world.ts';
import { type BoundCluster, bindAsMachine, settle } from './machine.ts';

const maps = { resource: 'configmaps', version: 'v1', selector: { owner: 'Provider' } } as const;

onOwnPlane('rights of a tenant', (plane) => {
  it('BE-28 do not grow by a request for an API that its tenant is not entitled to', async () => {
    const [offered, restricted] = [sampleApi(), sampleApi()];
    await provide(plane(), offered);
    await provide(plane(), restricted, { allowedTenants: 'others' });
    const { client, clusterNamespace, serviceNamespace } = await bound(plane(), offered, [{ api: restricted }]);
    const { group, plural } = restricted.type;

    const place = { namespace: clusterNamespace, name: restricted.name };
    await client.resource(APIServiceExportRequests).create({
      apiVersion,
      kind: 'APIServiceExportRequest',
      metadata: place,
      spec: { resources: [{ group, resource: plural }] },
    });

    const { status } = await patiently(async () => {
      const request = await client.resource(APIServiceExportRequests).get(place);
      return request.status?.phase === 'Failed' && request;
    });
    expect(status?.terminalMessage).toContain('is not offered to this tenant');
    const exports = await plane().admin.resource(APIServiceExports).list({ namespace: clusterNamespace });
    expect(exports.items.map(({ metadata }) => metadata.name)).toEqual([offered.name]);
    for (const namespace of [clusterNamespace, serviceNamespace]) {
      const groups = await grantedGroups(plane(), namespace);
      expect(groups).not.toContain(group);
      expect(await mayList(client, restricted.type, namespace)).toBe(false);
    }
    expect(await grantedGroups(plane(), serviceNamespace)).toContain(offered.type.group);
  }, 240_000);

  it('BE-48 follow the permission claims of the template, when one comes and when it goes', async () => {
    const api = sampleApi();
    await provide(plane(), api);
    const { client, serviceNamespace } = await bound(plane(), api, [{ api, claims: [maps] }]);
    expect(await mayList(client, ConfigMaps, serviceNamespace)).toBe(false);

    await offer(plane(), api, { claims: [maps] });
    await patiently(() => mayList(client, ConfigMaps, serviceNamespace));
    const map = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'm', namespace: serviceNamespace } };
    await expect(client.resource(ConfigMaps).create(map)).rejects.toMatchObject({ code: 'KUBE_FORBIDDEN' });

    await offer(plane(), api, { claims: [] });
    await patiently(async () => !(await mayList(client, ConfigMaps, serviceNamespace)));
    expect(await mayList(client, api.type, serviceNamespace)).toBe(true);
  }, 240_000);
});

/** An app cluster that has bound an API, by a backend that has the rights for these offers, too. */
async function bound(plane: TestCluster, api: SampleApi, others: readonly Offered[]): Promise<BoundCluster> {
  const issuer = await startScriptedIssuer({ clientId: 'klutch', clientSecret: 'client-secret' });
  onTestFinished(() => issuer.close());
  const launched = await launch(plane, { offers: [{ api }, ...others], web: webFor(issuer, baseUrl) });
  const port = Number(new URL(launched.backend.url()).port);
  const answer = await patiently(async () => {
    const given = await bindAsMachine({ port, issuer, apis: [api], clusterId: unique('app') });
    return given.status === 200 && given;
  });
  const tenant = await settle(answer, [api]);
  await patiently(() => mayList(tenant.client, api.type, tenant.serviceNamespace));
  return tenant;
}

async function grantedGroups({ admin }: TestCluster, namespace: string): Promise<readonly string[]> {
  const { items } = await admin.resource(Roles).list({ namespace });
  return items.flatMap(({ rules = [] }) => rules.flatMap(({ apiGroups }) => apiGroups));
}

async function mayList<T extends KubeObject>(
  client: KubeClient,
  type: ResourceType<T>,
  namespace: string,
): Promise<boolean> {
  try {
    await client.resource(type).list({ namespace });
    return true;
  } catch (error) {
    if (isKubeError(error, 'KUBE_FORBIDDEN')) return false;
    throw error;
  }
}
