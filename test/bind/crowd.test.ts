import { annotations, ClusterBindings, ConditionType, isConditionTrue, labels } from '@klutch/api';
import { type KubeClient, Namespaces } from '@klutch/kube';
import { expect, it, onTestFinished } from 'vitest';
import { onOwnPlane, provide, sampleApi } from '../backend/exports-world.ts';
import { type Launched, launch, patiently, webFor } from '../backend/process-world.ts';
import { startScriptedIssuer } from '../backend/scripted-issuer.ts';
import { baseUrl } from '../backend/web-world.ts';
import { bindAsMachine } from './machine.ts';

const clusters = 200;
const atOnce = 50;
/** A replica dies whenever so many more are bound. */
const killEvery = 40;

onOwnPlane('two hundred app clusters that are bound at once', (plane) => {
  it('BE-24 are all bound, each once, although replicas of the backend die meanwhile', async () => {
    const api = sampleApi();
    const issuer = await startScriptedIssuer({ clientId: 'klutch', clientSecret: 'client-secret' });
    onTestFinished(() => issuer.close());
    await provide(plane(), api);
    const web = { ...webFor(issuer, baseUrl), limits: { perSubject: 100_000, perAddress: 100_000 } };
    const options = { quotas: { clustersPerTenant: 1_000, namespacesPerCluster: 10 } };
    const first = await launch(plane(), { offers: [{ api }], web, options });
    const replicas: Launched[] = [first, await launch(plane(), { of: first })];
    let turn = 0;
    let done = 0;

    /** As clients do, a bind that fails for a passing reason is tried again, perhaps at the other replica. */
    const bind = async (clusterId: string): Promise<number> => {
      for (let attempt = 0; attempt < 60; attempt += 1) {
        const { backend } = replicas[turn++ % replicas.length] ?? first;
        const port = Number(new URL(backend.url()).port);
        const status = await bindAsMachine({ port, issuer, apis: [api], clusterId }).then(
          (answer) => answer.status,
          () => 503,
        );
        if (status < 500 && status !== 429) return status;
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
      return 503;
    };
    const killOne = async () => {
      const victim = replicas.shift();
      replicas.push(await launch(plane(), { of: first }));
      await victim?.stop();
    };

    const waiting = Array.from({ length: clusters }, (_, at) => `crowd-${at}`);
    const statuses: number[] = [];
    const deaths: Promise<void>[] = [];
    await Promise.all(
      Array.from({ length: atOnce }, async () => {
        for (let id = waiting.pop(); id; id = waiting.pop()) {
          statuses.push(await bind(id));
          done += 1;
          if (done % killEvery === 0) deaths.push(killOne());
        }
      }),
    );
    await Promise.all(deaths);

    expect(statuses.filter((status) => status !== 200)).toEqual([]);
    expect(deaths.length).toBeGreaterThanOrEqual(4);
    expect(await tenantsOf(plane().admin)).toHaveLength(clusters);
    await patiently(async () => (await grantedOf(plane().admin)) === clusters);
  }, 600_000);
});

/** Cluster ids of all namespaces of app clusters, each as often as it has one. */
async function tenantsOf(admin: KubeClient): Promise<readonly string[]> {
  const { items } = await admin.resource(Namespaces).list({ labelSelector: labels.tenant });
  const ids = items.map(({ metadata }) => metadata.annotations?.[annotations.appClusterId] ?? '');
  expect(new Set(ids).size).toBe(ids.length);
  return ids;
}

async function grantedOf(admin: KubeClient): Promise<number> {
  const { items } = await admin.resource(ClusterBindings).list();
  return items.filter(({ status }) => isConditionTrue(status?.conditions, ConditionType.RightsGranted)).length;
}
