import { DEFAULT_CONTROLLERS, startPlane } from '@klutch/kit';
import { describeReal } from '@klutch/kit/vitest';
import { createSharedInformers, Namespaces, Secrets } from '@klutch/kube';
import { expect, it, onTestFinished } from 'vitest';
import { createOwnRights } from '../../packages/backend/src/grants/own-rights.ts';
import { probeQuota, ResourceQuotas } from '../../packages/backend/src/quotas/resource-quota.ts';
import { runQuotas } from '../../packages/backend/src/quotas/run-quotas.ts';
import { openCatalogue } from '../../packages/backend/src/templates/open-catalogue.ts';
import { clusterOf, installKinds } from '../konnector/clusters.ts';
import { provide, sampleApi, widget } from './exports-world.ts';
import { hurryingClock } from './hurrying-clock.ts';
import { patiently } from './process-world.ts';
import { linesLogger } from './web-world.ts';

/** A control plane whose controller manager counts nothing for quotas. */
async function openUncounted() {
  const controllers = DEFAULT_CONTROLLERS.filter((name) => name !== 'resourcequota-controller');
  const plane = await startPlane({ controllers });
  const cluster = await clusterOf({
    url: plane.url,
    caCertificate: plane.pki.certificate,
    kubeconfig: async (user) => (user ? await plane.certificateUser(user) : plane.admin).kubeconfig,
    stop: () => plane.stop(),
  });
  onTestFinished(() => cluster.close());
  await installKinds(cluster);
  return cluster;
}

describeReal('quotas where nobody counts', () => {
  it('block nothing, and the log says so', async () => {
    const cluster = await openUncounted();
    const { admin } = cluster;
    const namespace = 'bind';
    await admin.resource(Namespaces).create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
    const api = sampleApi();
    await provide(cluster, api);
    const [stop, clock, lines] = [new AbortController(), hurryingClock(), [] as string[]];
    const { signal } = stop;
    const informers = createSharedInformers(admin, signal);
    const catalogue = openCatalogue({ informers, consumerScope: 'Namespaced', signal });
    const quotas = { namespacesPerCluster: 1, objectsPerNamespace: 1 };
    const options = { namespace, quotas };
    const rights = createOwnRights({ client: admin, namespace, tenantRole: 'klutch-backend-tenant', clock });
    const log = linesLogger(lines);
    const controller = runQuotas({ client: admin, informers, catalogue, options, rights, clock, log, signal });
    onTestFinished(async () => {
      stop.abort();
      await controller.stopped;
      await informers.stopped;
    });
    await patiently(() => admin.resource(ResourceQuotas).find({ namespace, name: probeQuota }));

    const warned = () => lines.filter((line) => line.includes('nobody counts objects for ResourceQuotas'));
    await patiently(() => {
      clock.skip(10_000);
      return warned().length > 0;
    });

    expect(warned()).toHaveLength(1);
    // Even where the probe names the type.
    await admin.resource(api.type).create(widget(api, 'w', namespace, { size: 1 }));
    const metadata = { name: 's', namespace };
    await admin.resource(Secrets).create({ apiVersion: 'v1', kind: 'Secret', metadata });
  }, 180_000);
});
