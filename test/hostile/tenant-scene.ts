import type { PermissionClaim } from '@klutch/api';
import { onTestFinished } from 'vitest';
import { provide, type SampleApi, sampleApi, type TestCluster, unique } from '../backend/exports-world.ts';
import { type Launched, launch, patiently, webFor } from '../backend/process-world.ts';
import { startScriptedIssuer } from '../backend/scripted-issuer.ts';
import { baseUrl } from '../backend/web-world.ts';
import { type BoundCluster, bindAsMachine, settle } from '../bind/machine.ts';

/** A hostile tenant, and another one beside it, both bound to an API with the same permission claims. */
export interface TenantScene {
  readonly api: SampleApi;
  readonly launched: Launched;
  readonly hostile: BoundCluster;
  readonly victim: BoundCluster;
}

export async function openTenants(plane: TestCluster, claims: readonly PermissionClaim[]): Promise<TenantScene> {
  const api = sampleApi();
  const issuer = await startScriptedIssuer({ clientId: 'klutch', clientSecret: 'client-secret' });
  onTestFinished(() => issuer.close());
  await provide(plane, api, { claims });
  const web = webFor(issuer, baseUrl);
  const clients = new Map([
    ['pipeline', 'acme'],
    ['rival', 'rivals'],
  ]);
  const policy = { ...web.policy, machines: { ...web.policy.machines, clients } };
  const launched = await launch(plane, { offers: [{ api, claims }], web: { ...web, policy } });
  const port = Number(new URL(launched.backend.url()).port);
  const bound = async (client: string) => {
    const answer = await patiently(async () => {
      const given = await bindAsMachine({ port, issuer, apis: [api], clusterId: unique('app'), client });
      return given.status === 200 && given;
    });
    return settle(answer, [api]);
  };
  const hostile = await bound('pipeline');
  const victim = await bound('rival');
  // Rights in a new namespace reach the authoriser a moment later.
  await patiently(() => hostile.client.resource(api.type).list({ namespace: hostile.serviceNamespace }));
  return { api, launched, hostile, victim };
}
