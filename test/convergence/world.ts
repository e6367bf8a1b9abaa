import type { AcceptablePermissionClaim } from '@klutch/api';
import type { Tier } from '@klutch/kit';
import { connect, type KubeClient, parseKubeconfig, type ResourceType } from '@klutch/kube';
import { createFaults, type Faults } from '@klutch/kube/testing';
import { type AppSide, openAppSide } from '../konnector/app-side.ts';
import { installKinds, type TestCluster } from '../konnector/clusters.ts';
import { type SampleApi, sampleApi } from '../konnector/sample-api.ts';
import { createTenant, type TestTenant } from '../konnector/tenant.ts';
import { openRestartable, type RestartableCluster } from './restartable.ts';

/** Two clusters with a bound API, and the people who write in them; only the konnector is missing. */
export interface World {
  readonly app: RestartableCluster;
  readonly controlPlane: RestartableCluster;
  readonly tenant: TestTenant;
  readonly side: AppSide;
  readonly api: SampleApi;
  /** Works in the app cluster. */
  readonly user: KubeClient;
  /** Works on the control plane. */
  readonly provider: KubeClient;
  /** What goes wrong with requests of user and provider. */
  readonly peoplesFaults: Faults;
  close(): Promise<void>;
}

/** Secrets, of which any field may be looked at. */
export const SecretType: ResourceType = {
  group: '',
  version: 'v1',
  plural: 'secrets',
  kind: 'Secret',
  namespaced: true,
};

/** What the konnector of a world may carry besides claims. */
export const secretClaim: AcceptablePermissionClaim = {
  group: '',
  resource: 'secrets',
  version: 'v1',
  selector: { names: ['*'], namespaces: ['*'], owner: 'Provider' },
  state: 'Accepted',
};

export async function openWorld(tier: Tier, random: () => number): Promise<World> {
  const [app, controlPlane] = await Promise.all([openRestartable(tier), openRestartable(tier)]);
  await installKinds(controlPlane);
  const tenant = await createTenant(controlPlane);
  const side = await openAppSide(app);
  const api = sampleApi();
  const { state: _, ...asked } = secretClaim;
  await tenant.publish(api, { claims: [asked] });
  await side.storeKubeconfig(await tenant.offered());
  await side.bind(api, { claims: [secretClaim] });
  const peoplesFaults = createFaults(random);
  const [user, provider] = await Promise.all([app, controlPlane].map((one) => person(one, peoplesFaults)));
  if (!user || !provider) throw new Error('There are two clusters.');
  return {
    app,
    controlPlane,
    tenant,
    side,
    api,
    user,
    provider,
    peoplesFaults,
    close: async () => {
      await Promise.all([user.close(), provider.close()]);
      await tenant.close();
      await Promise.all([app.close(), controlPlane.close()]);
    },
  };
}

/** Somebody who sends each write once: what became of a write that is repeated is harder to tell. */
async function person(cluster: TestCluster, { interceptor }: Faults): Promise<KubeClient> {
  const config = parseKubeconfig(await cluster.kubeconfig(), { source: 'the test', trust: 'local' });
  return connect(config, { userAgent: 'klutch-test/1', interceptors: [interceptor], retry: { attempts: 0 } });
}
