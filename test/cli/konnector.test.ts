import { Leases } from '@klutch/kube';
import { eventually } from '@klutch/kube/testing';
import { expect, it } from 'vitest';
import { type Bound, bound } from '../konnector/bound.ts';
import { type Clusters, onBothTiers, widget } from '../konnector/world.ts';
import { entriesOf, kubeconfigFile, startProcess } from './konnector-process.ts';

const soon = { withinMs: 60_000, everyMs: 50 };
const long = 150_000;

const holder = async ({ side }: Bound) => {
  const lease = { namespace: side.bindingNamespace, name: 'klutch-bind' };
  return (await side.cluster.admin.resource(Leases).get(lease)).spec?.holderIdentity;
};

/** Sends an object up, sets its status there, and waits until that is down here. */
async function roundTrip({ controlPlane }: Clusters, { api, tenant, side }: Bound, name: string): Promise<void> {
  await side.condition(api, 'Ready', 'True');
  const namespace = (await side.namespace()).metadata.name;
  const here = side.cluster.admin.resource(api.type);
  const there = controlPlane.admin.resource(api.type);
  await here.create(widget(api, name, namespace, { size: 3 }));
  const service = await tenant.serviceNamespace(namespace);
  await eventually(() => there.find({ namespace: service, name }), soon);
  await there.patch(
    { namespace: service, name },
    { type: 'merge', patch: { status: { phase: 'Running' } } },
    { subresource: 'status' },
  );
  await eventually(async () => {
    const { status } = (await here.get({ namespace, name })) as { status?: { phase?: string } };
    return status?.phase === 'Running';
  }, soon);
}

onBothTiers('a konnector process', (clusters) => {
  it(
    'carries objects up and status down, shows its health and metrics, and ends on Ctrl-C',
    async () => {
      const world = await bound(clusters());
      const { api, tenant, side } = world;
      const konnector = await startProcess(side, await kubeconfigFile(side, api), { podName: 'konnector-1' });

      await roundTrip(clusters(), world, 'w');

      expect(await konnector.get('/healthz')).toEqual({ status: 200, body: '{"leaderElection":"ok"}' });
      expect(await konnector.get('/readyz')).toEqual({ status: 200, body: 'ok' });
      expect(await konnector.get('/livez')).toEqual({ status: 200, body: 'ok' });
      const metrics = await konnector.get('/metrics');
      expect(metrics.status).toBe(200);
      expect(metrics.body).toMatch(/^klutch_konnector_writes_total\{side="control-plane",part="instances",.*\} [1-9]/m);
      expect(metrics.body).toMatch(/^klutch_konnector_carry_seconds_count\{direction="up"\} [1-9]/m);
      expect(metrics.body).toMatch(/^klutch_konnector_carry_seconds_count\{direction="down"\} [1-9]/m);
      expect(metrics.body).toMatch(/^klutch_konnector_link_up_state\{.*\} 1$/m);
      expect(metrics.body).toMatch(/^process_resident_memory_bytes [1-9]/m);
      expect(await holder(world)).toMatch(/^konnector-1_[0-9a-f-]{36}$/);

      konnector.process.kill('SIGINT');

      expect(await konnector.ended()).toBe(0);
      expect(konnector.out()).toBe('');
      expect(await holder(world)).toBe('');
      const messages = entriesOf(konnector).map(({ msg }) => msg);
      expect(messages).toEqual(expect.arrayContaining(['became leader', 'konnector stops', 'lease released']));
      expect(messages.at(-1)).toBe('konnector stopped');
      await tenant.close();
    },
    long,
  );

  it(
    'goes on where it was killed',
    async () => {
      const world = await bound(clusters());
      const { api, tenant, side } = world;
      const kubeconfig = await kubeconfigFile(side, api);
      const first = await startProcess(side, kubeconfig, { podName: 'konnector-1' });
      await roundTrip(clusters(), world, 'before');
      first.process.kill('SIGKILL');
      expect(await first.ended()).toBe('SIGKILL');

      // A container that starts again in its pod has the lease already.
      const second = await startProcess(side, kubeconfig, { podName: 'konnector-1' });
      await roundTrip(clusters(), world, 'after');

      second.process.kill('SIGTERM');
      expect(await second.ended()).toBe(0);
      expect(await holder(world)).toBe('');
      await tenant.close();
    },
    long,
  );

  it(
    'stands by while another one works, and takes over when that is killed',
    async () => {
      const world = await bound(clusters());
      const { api, tenant, side } = world;
      const kubeconfig = await kubeconfigFile(side, api);
      const leader = await startProcess(side, kubeconfig, { podName: 'konnector-1' });
      await leader.says('"msg":"became leader"');
      const standby = await startProcess(side, kubeconfig, { podName: 'konnector-2' });
      await standby.says(/"leader":"konnector-1_[0-9a-f-]{36}","msg":"another candidate leads"/);

      expect((await standby.get('/readyz')).status).toBe(200);
      expect((await standby.get('/metrics')).body).not.toMatch(/^klutch_konnector_writes_total\{/m);
      leader.process.kill('SIGKILL');

      await standby.says('"msg":"became leader"');
      await roundTrip(clusters(), world, 'w');
      expect(await holder(world)).toMatch(/^konnector-2_[0-9a-f-]{36}$/);
      standby.process.kill('SIGTERM');
      expect(await standby.ended()).toBe(0);
      await tenant.close();
    },
    long,
  );
});
