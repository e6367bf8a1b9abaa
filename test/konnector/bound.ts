import { type AppSide, openAppSide } from './app-side.ts';
import type { Clusters } from './on-both-tiers.ts';
import { type SampleApi, sampleApi } from './sample-api.ts';
import { createTenant, type TestTenant } from './tenant.ts';

/** An app side with one API bound to a tenant of its own. */
export interface Bound {
  readonly api: SampleApi;
  readonly tenant: TestTenant;
  readonly side: AppSide;
}

export async function bound({ app, controlPlane }: Clusters): Promise<Bound> {
  const api = sampleApi();
  const tenant = await createTenant(controlPlane);
  await tenant.publish(api);
  const side = await openAppSide(app);
  await side.storeKubeconfig(await tenant.offered());
  await side.bind(api);
  return { api, tenant, side };
}
