import { APIServiceNamespaces, apiVersion, CustomResourceDefinitions } from '@klutch/api';
import { isKubeError, Namespaces, parseKubeconfig, Secrets } from '@klutch/kube';
import { expect, it } from 'vitest';
import { refuseAdministrator } from './konnector-rights.ts';
import { createTenant, installCrd, onBothTiers, openAppSide, openLink, sampleApi, widget } from './world.ts';

onBothTiers('the world of konnector tests', (clusters) => {
  it('has a tenant with exactly the rights that the Go backend gives', async () => {
    const { app, controlPlane } = clusters();
    expect(app.id).not.toBe(controlPlane.id);
    const api = sampleApi();
    const tenant = await createTenant(controlPlane);
    const side = await openAppSide(app);
    await tenant.publish(api);
    const { link, writes, close } = await openLink(side, tenant, { apis: [api] });
    const { client } = link.controlPlane;

    await client.resource(Namespaces).get({ name: tenant.clusterNamespace });
    await client.resource(APIServiceNamespaces).create({
      apiVersion,
      kind: 'APIServiceNamespace',
      metadata: { name: 'team-a', namespace: tenant.clusterNamespace },
      spec: {},
    });
    const namespace = await tenant.serviceNamespace('team-a');
    await client.resource(api.type).create(widget(api, 'w', namespace, { size: 1 }));

    expect(await denied(client.resource(Namespaces).list())).toBe('forbidden');
    expect(await denied(client.resource(api.type).list())).toBe('forbidden');
    expect(await denied(client.resource(Secrets).list({ namespace }))).toBe('forbidden');
    expect(writes.map(({ side, method }) => `${side} ${method}`)).toEqual(['control-plane POST', 'control-plane POST']);
    await close();
    await tenant.close();
  });

  it('has konnectors, and parts of them, with exactly the generated roles in the app cluster', async () => {
    const { app, controlPlane } = clusters();
    const [api, other] = [sampleApi(), sampleApi()];
    for (const { crd } of [api, other]) await installCrd(app.admin, crd);
    const tenant = await createTenant(controlPlane);
    const side = await openAppSide(app);
    const { link, close } = await openLink(side, tenant, { apis: [api] });
    const { client } = link.app;

    await client.resource(api.type).list();
    await client.resource(CustomResourceDefinitions).get({ name: api.name });
    expect(await denied(client.resource(other.type).list())).toBe('forbidden');
    expect(await denied(client.resource(CustomResourceDefinitions).get({ name: other.name }))).toBe('forbidden');
    expect(await denied(client.resource(Secrets).list())).toBe('forbidden');
    await close();
    await tenant.close();
  });

  it('refuses to test anything as an administrator', async () => {
    for (const cluster of [clusters().app, clusters().controlPlane]) {
      const config = parseKubeconfig(await cluster.kubeconfig(), { source: 'the test', trust: 'local' });
      await expect(refuseAdministrator(config)).rejects.toThrow('may do everything');
    }
  });
});

async function denied(work: Promise<unknown>): Promise<string> {
  return await work.then(
    () => 'allowed',
    (error: unknown) => (isKubeError(error, 'KUBE_FORBIDDEN') ? 'forbidden' : String(error)),
  );
}
