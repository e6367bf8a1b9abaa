import type { AcceptablePermissionClaim } from '@klutch/api';
import type { Tier } from '@klutch/kit';
import { type AppSide, openAppSide } from '../konnector/app-side.ts';
import { installKinds } from '../konnector/clusters.ts';
import { type SampleApi, sampleApi } from '../konnector/sample-api.ts';
import { createTenant, type TestTenant } from '../konnector/tenant.ts';
import type { Dice } from './dice.ts';
import { type MortalKonnector, startMortal } from './mortal-konnector.ts';
import { openRestartable, type RestartableCluster } from './restartable.ts';

/** Everything that stories are played on. */
export interface Stage {
  readonly app: RestartableCluster;
  readonly controlPlane: RestartableCluster;
  readonly tenant: TestTenant;
  readonly side: AppSide;
  readonly api: SampleApi;
  readonly konnector: MortalKonnector;
  close(): Promise<void>;
}

const secretClaim: AcceptablePermissionClaim = {
  group: '',
  resource: 'secrets',
  version: 'v1',
  selector: { names: ['*'], namespaces: ['*'], owner: 'Provider' },
  state: 'Accepted',
};

export async function openStage(tier: Tier, dice: Dice): Promise<Stage> {
  const [app, controlPlane] = await Promise.all([openRestartable(tier), openRestartable(tier)]);
  await installKinds(controlPlane);
  const tenant = await createTenant(controlPlane);
  const side = await openAppSide(app);
  const api = sampleApi();
  const { state: _, ...asked } = secretClaim;
  await tenant.publish(api, { claims: [asked] });
  await side.storeKubeconfig(await tenant.kubeconfig());
  await side.bind(api, { claims: [secretClaim] });
  const konnector = await startMortal({ side, api, claims: [secretClaim], dice });
  await side.condition(api, 'Ready', 'True');
  return {
    app,
    controlPlane,
    tenant,
    side,
    api,
    konnector,
    close: async () => {
      await konnector.stop();
      await tenant.close();
      await Promise.all([app.close(), controlPlane.close()]);
    },
  };
}
