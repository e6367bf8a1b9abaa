import { annotations, ClusterBindings, ConditionType, isConditionTrue, labels } from '@klutch/api';
import { type KubeClient, Namespaces } from '@klutch/kube';
import { expect, it, onTestFinished } from 'vitest';
import { onOwnPlane, provide, sampleApi } from '../backend/exports-world.ts';
import { patiently } from '../backend/process-world.ts';
import { startScriptedIssuer } from '../backend/scripted-issuer.ts';
import { bindAsMachine } from './machine.ts';
import { openReplicas } from './replicas.ts';

const clusters = 200;
const atOnce = 50;
const pauseBetweenKillsMs = 2_000;

onOwnPlane('two hundred app clusters that are bound at once', (plane) => {
  it('BE-24 are all bound, each once, although replicas of the backend are killed meanwhile', async () => {
    const api = sampleApi();
    const issuer = await startScriptedIssuer({ clientId: 'klutch', clientSecret: 'client-secret' });
    onTestFinished(() => issuer.close());
    await provide(plane(), api);
    const replicas = await openReplicas(plane(), {
      issuer,
      offers: [{ api }],
      args: [
        '--max-clusters-per-tenant=1000',
        '--requests-per-minute=100000',
        '--requests-per-minute-per-address=100000',
      ],
    });
    await Promise.all([replicas.start(), replicas.start()]);

    /** As clients do, a bind that fails for a passing reason is tried again, perhaps at the other replica. */
    const bind = async (clusterId: string): Promise<number> => {
      for (let attempt = 0; attempt < 100; attempt += 1) {
        const port = replicas.port();
        const answer = port === undefined ? undefined : bindAsMachine({ port, issuer, apis: [api], clusterId });
        const status = await answer?.then(
          ({ status }) => status,
          () => undefined,
        );
        if (status !== undefined && status < 500 && status !== 429) return status;
        await pause(200);
      }
      return 503;
    };

    const waiting = Array.from({ length: clusters }, (_, at) => `crowd-${at}`);
    const statuses: number[] = [];
    const binding = Promise.all(
      Array.from({ length: atOnce }, async () => {
        for (let id = waiting.pop(); id; id = waiting.pop()) statuses.push(await bind(id));
      }),
    );
    let kills = 0;
    while (statuses.length < clusters) {
      await pause(pauseBetweenKillsMs);
      await replicas.kill();
      kills += 1;
      await replicas.start();
    }
    await binding;

    expect(statuses.filter((status) => status !== 200)).toEqual([]);
    expect(kills).toBeGreaterThanOrEqual(2);
    expect(await tenantsOf(plane().admin)).toHaveLength(clusters);
    await patiently(async () => (await grantedOf(plane().admin)) === clusters);
  }, 600_000);
});

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
}

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
