import { createNamespace, describeReal, sharedPlane } from '@klutch/kit/vitest';
import {
  ConfigMaps,
  connect,
  createEventRecorder,
  Events,
  fenceWrites,
  type KubeClient,
  type LeaderTerm,
  Leases,
  parseKubeconfig,
  runLeaderElection,
} from '@klutch/kube';
import { eventually } from '@klutch/kube/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';

const timings = { leaseDurationMs: 3000, renewDeadlineMs: 2000, retryPeriodMs: 200 };

describeReal('leader election and events on a real API server', () => {
  let client: KubeClient;
  let namespace: string;
  let kubeconfig: string;

  beforeAll(async () => {
    const plane = await sharedPlane();
    kubeconfig = plane.admin.kubeconfig;
    client = connect(parseKubeconfig(kubeconfig, { source: 'the test', trust: 'local' }), { userAgent: 'test' });
    namespace = await createNamespace(plane, 'leader');
  });

  afterAll(() => client.close());

  it('hands the lease over in good order, and both write what client-go understands', async () => {
    const lease = { namespace, name: 'handover' };
    const leading: string[] = [];
    const candidate = (identity: string) => {
      const stop = new AbortController();
      const election = runLeaderElection({
        client,
        lease,
        identity,
        timings,
        signal: stop.signal,
        lead: async (signal) => {
          leading.push(identity);
          await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
        },
      });
      return { stop, election };
    };
    const first = candidate('first');
    await eventually(() => leading.length === 1);
    const second = candidate('second');
    await eventually(() => second.election.leader() === 'first');
    expect((await client.resource(Leases).get(lease)).spec).toMatchObject({
      holderIdentity: 'first',
      leaseDurationSeconds: 3,
      leaseTransitions: 0,
      renewTime: expect.stringMatching(/^\d{4}-.*\.\d{6}Z$/),
    });
    first.stop.abort();
    await first.election.stopped;
    await eventually(() => leading.length === 2);
    expect((await client.resource(Leases).get(lease)).spec).toMatchObject({
      holderIdentity: 'second',
      leaseTransitions: 1,
    });
    second.stop.abort();
    await second.election.stopped;
    expect((await client.resource(Leases).get(lease)).spec).toMatchObject({
      holderIdentity: '',
      leaseDurationSeconds: 1,
    });
  });

  it('lets nothing be written after the lease was taken away', async () => {
    const lease = { namespace, name: 'fence' };
    const stop = new AbortController();
    let term: LeaderTerm | undefined;
    let wasLost = false;
    const election = runLeaderElection({
      client,
      lease,
      identity: 'victim',
      timings,
      signal: stop.signal,
      lead: async (signal, mine) => {
        term ??= mine;
        await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
        wasLost = true;
      },
    });
    const mine = await eventually(() => term);
    const fenced = connect(parseKubeconfig(kubeconfig, { source: 'the test', trust: 'local' }), {
      userAgent: 'test',
      interceptors: [fenceWrites(mine)],
    });
    const write = (name: string) =>
      fenced.resource(ConfigMaps).create({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { namespace, name } });
    await write('before');
    await client.resource(Leases).patch(lease, { type: 'merge', patch: { spec: { holderIdentity: 'thief' } } });
    await eventually(() => wasLost);
    await expect(write('after')).rejects.toMatchObject({ code: 'KUBE_LEADERSHIP_LOST' });
    expect(await client.resource(ConfigMaps).find({ namespace, name: 'after' })).toBeUndefined();
    stop.abort();
    await election.stopped;
    await fenced.close();
  });

  it('shows one Event with a count for what happens again', async () => {
    const object = await client
      .resource(ConfigMaps)
      .create({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { namespace, name: 'noted' } });
    const stop = new AbortController();
    const recorder = createEventRecorder({ client, component: 'klutch-test', instance: 'test-1', signal: stop.signal });
    for (let i = 0; i < 3; i++)
      recorder.event(object, { type: 'Warning', reason: 'Waiting', message: 'The namespace is not ready.' });
    await recorder.flush();
    const { items } = await client.resource(Events).list({ namespace, fieldSelector: 'involvedObject.name=noted' });
    expect(items).toMatchObject([{ reason: 'Waiting', type: 'Warning', count: 3, reportingComponent: 'klutch-test' }]);
    stop.abort();
    await recorder.stopped;
  });
});
