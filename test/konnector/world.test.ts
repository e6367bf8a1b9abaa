import { APIServiceNamespaces, apiVersion } from '@klutch/api';
import { isKubeError, Namespaces, Secrets } from '@klutch/kube';
import { expect, it } from 'vitest';
import { createTenant, onBothTiers, openAppSide, openLink, sampleApi, widget } from './world.ts';

onBothTiers('the world of konnector tests', (clusters) => {
  it('has a tenant with exactly the rights that the Go backend gives', async () => {
    const { app, controlPlane } = clusters();
    expect(app.id).not.toBe(controlPlane.id);
    const api = sampleApi();
    const tenant = await createTenant(controlPlane);
    const side = await openAppSide(app);
    await tenant.publish(api);
    const { link, writes, close } = await openLink(side, tenant);
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

    const denied = async (work: Promise<unknown>) =>
      await work.then(
        () => 'allowed',
        (error: unknown) => (isKubeError(error, 'KUBE_FORBIDDEN') ? 'forbidden' : String(error)),
      );
    expect(await denied(client.resource(Namespaces).list())).toBe('forbidden');
    expect(await denied(client.resource(api.type).list())).toBe('forbidden');
    expect(await denied(client.resource(Secrets).list({ namespace }))).toBe('forbidden');
    expect(writes.map(({ side, method }) => `${side} ${method}`)).toEqual(['control-plane POST', 'control-plane POST']);
    await close();
    await tenant.close();
  });
});
