import {
  annotations,
  APIServiceBindings,
  APIServiceExports,
  appCluster as names,
  findCondition,
  labels,
} from '@klutch/api';
import type { Tier } from '@klutch/kit';
import { describeReal } from '@klutch/kit/vitest';
import { connect, isKubeError, Namespaces, parseKubeconfig, Secrets } from '@klutch/kube';
import { describe, expect, it } from 'vitest';
import { offer } from '../backend/exports-world.ts';
import { patiently } from '../backend/process-world.ts';
import { bindAsPerson, claimWidget, embeddedIssuer, storedKubeconfig } from './person.ts';
import { claim, openScene, type Scene } from './scene.ts';

/** The tenant that the app cluster was registered with. */
async function tenantName({ controlPlane }: Scene): Promise<string> {
  const { items } = await controlPlane.admin.resource(Namespaces).list({ labelSelector: labels.appCluster });
  return items[0]?.metadata.annotations?.[annotations.tenantName] ?? '';
}

/** What the credential of the app cluster may read in a service namespace. */
async function readable({ app, api }: Scene, namespace: string): Promise<Record<'objects' | 'secrets', boolean>> {
  const config = parseKubeconfig(await storedKubeconfig(app.admin), { source: 'the test', trust: 'foreign' });
  const client = connect(config, { userAgent: 'klutch-test/1' });
  const isAllowed = async (list: Promise<unknown>) =>
    list.then(
      () => true,
      (error: unknown) => {
        if (isKubeError(error, 'KUBE_FORBIDDEN')) return false;
        throw error;
      },
    );
  try {
    return {
      objects: await isAllowed(client.resource(api.type).list({ namespace })),
      secrets: await isAllowed(client.resource(Secrets).list({ namespace })),
    };
  } finally {
    await client.close();
  }
}

function entitlement(tier: Tier): void {
  it('BE-27 BE-48 ends with the place on the allow-list, and goes on by itself when it is given back', async () => {
    const scene = await openScene(tier, { issuer: embeddedIssuer });
    const { app, controlPlane, api } = scene;
    await bindAsPerson(scene);
    const serviceNamespace = await claimWidget(scene, 'w1');
    const tenant = await tenantName(scene);
    const binding = () => app.admin.resource(APIServiceBindings).get({ namespace: names.namespace, name: api.name });
    const condition = async (type: string) => findCondition((await binding()).status?.conditions, type);
    const widget = () => app.admin.resource(api.type).get({ namespace: 'team-a', name: 'w1' });
    const shown = async () => {
      const { conditions } = ((await widget())['status'] ?? {}) as { readonly conditions?: readonly object[] };
      return conditions ?? [];
    };

    await offer(controlPlane, api, { claims: [claim], allowedTenants: `another-team` });

    await patiently(async () => (await condition('Connected'))?.reason === 'EntitlementWithdrawn');
    await patiently(async () => (await condition('ClaimsSynced'))?.reason === 'EntitlementWithdrawn');
    expect((await condition('Connected'))?.message).toContain('Ask the operator of the control plane');
    expect((await condition('Ready'))?.status).toBe('False');
    await patiently(async () => {
      const { objects, secrets } = await readable(scene, serviceNamespace);
      return !objects && !secrets;
    });
    await patiently(async () => JSON.stringify(await shown()).includes('EntitlementWithdrawn'));
    const { items: exports } = await controlPlane.admin.resource(APIServiceExports).list();
    expect(findCondition(exports[0]?.status?.conditions, 'ProviderInSync')).toMatchObject({
      status: 'False',
      reason: 'EntitlementWithdrawn',
    });
    // The deletion waits, and the data stays.
    await app.admin.resource(api.type).delete({ namespace: 'team-a', name: 'w1' });
    expect((await controlPlane.admin.resource(api.type).list({ namespace: serviceNamespace })).items).toHaveLength(1);
    expect((await widget()).metadata.finalizers).toHaveLength(1);

    await offer(controlPlane, api, { claims: [claim], allowedTenants: `another-team,${tenant}` });

    await patiently(async () => (await condition('Ready'))?.status === 'True');
    expect((await condition('ClaimsSynced'))?.status).toBe('True');
    await patiently(async () => (await controlPlane.admin.resource(api.type).list()).items.length === 0);
    await patiently(async () => !(await app.admin.resource(api.type).find({ namespace: 'team-a', name: 'w1' })));
    await claimWidget(scene, 'w2');
  }, 300_000);
}

describe('the entitlement to an API (embedded)', () => entitlement('embedded'));
describeReal('the entitlement to an API (real)', () => entitlement('real'));
