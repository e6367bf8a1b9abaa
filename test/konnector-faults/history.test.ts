import { annotations, ConditionType } from '@klutch/api';
import { type Interceptor, KubeError, Leases, Namespaces, Secrets } from '@klutch/kube';
import { eventually } from '@klutch/kube/testing';
import { expect, it } from 'vitest';
import { includes } from '../../packages/konnector/src/epoch/decide.ts';
import { parseMark, parseStamp } from '../../packages/konnector/src/epoch/mark.ts';
import { stayQuiet } from '../konnector/clusters.ts';
import { bundleKonnector } from '../konnector/konnector-child.ts';
import { konnectorOptions } from '../konnector/run-konnector.ts';
import type { RewindableCluster } from './rewindable.ts';
import { onClustersOfTheirOwn, type Stage } from './stage.ts';

const tenMinutes = 600;

onClustersOfTheirOwn('clusters that were never set back', (open) => {
  /** As somebody deletes who will not wait for the konnector. */
  async function forceDelete({ app, api }: Stage, namespace: string, name: string): Promise<void> {
    const originals = app.admin.resource(api.type);
    await originals.patch({ namespace, name }, { type: 'merge', patch: { metadata: { finalizers: null } } });
    await originals.delete({ namespace, name });
  }

  /** A copy is there a moment before its stamp is stored. Whoever is killed in that moment leaves it without one. */
  async function isStamped({ app, controlPlane, api, side, tenant }: Stage, namespace: string, name: string) {
    const place = { namespace: await tenant.serviceNamespace(namespace), name };
    const copy = await controlPlane.admin.resource(api.type).get(place);
    const lease = await app.admin.resource(Leases).get({ namespace: side.bindingNamespace, name: 'klutch-bind' });
    const stamp = parseStamp(copy.metadata.annotations?.[annotations.stamp]);
    const mark = parseMark(lease.metadata.annotations?.[annotations.mark]);
    return stamp !== undefined && mark !== undefined && includes(mark, stamp);
  }

  async function copyGoes(stage: Stage, namespace: string, name: string): Promise<void> {
    await eventually(async () => !(await stage.copies(namespace)).has(name), { withinMs: 40_000 });
  }

  /** Whatever happened before: a new object is copied, and goes with its original. */
  async function expectBusinessAsUsual(stage: Stage, namespace: string): Promise<void> {
    await stage.grow(namespace, 'later');
    await stage.app.admin.resource(stage.api.type).delete({ namespace, name: 'later' });
    await copyGoes(stage, namespace, 'later');
    await stage.condition(ConditionType.InstancesSynced, 'True');
  }

  it('KON-26 deletes the copy of what was force-deleted right after kill -9', async () => {
    const stage = await open();
    const namespace = (await stage.side.namespace()).metadata.name;
    const program = await bundleKonnector();
    const child = program.fork();
    await child.start(konnectorOptions(stage.side, stage.local));
    await stage.side.condition(stage.api, ConditionType.SchemaInSync, 'True');
    await stage.grow(namespace, 'a');
    await eventually(() => isStamped(stage, namespace, 'a'), { withinMs: 2_000 });
    await child.kill();
    await program.remove();
    await forceDelete(stage, namespace, 'a');

    await stage.start();
    await copyGoes(stage, namespace, 'a');
    await expectBusinessAsUsual(stage, namespace);
  }, 120_000);

  it.each([
    ['ahead', tenMinutes, -tenMinutes],
    ['behind', -tenMinutes, tenMinutes],
  ])(
    'KON-26 clocks do not matter: one konnector is ten minutes %s, the next the other way',
    async (_, one, next) => {
      const stage = await open();
      const namespace = (await stage.side.namespace()).metadata.name;
      const first = await stage.start(one);
      await stage.grow(namespace, 'a', 'b');
      await stage.give(namespace, 'a-creds');
      await first.stop();
      await forceDelete(stage, namespace, 'a');
      const service = await stage.tenant.serviceNamespace(namespace);
      await stage.controlPlane.admin.resource(Secrets).delete({ namespace: service, name: 'a-creds' });

      await stage.start(next);
      await copyGoes(stage, namespace, 'a');
      await eventually(async () => (await stage.received(namespace)).length === 0, { withinMs: 30_000 });
      await expectBusinessAsUsual(stage, namespace);
      expect([...(await stage.copies(namespace)).keys()]).toEqual(['b']);
    },
    120_000,
  );

  it('servers that restart under load are not listed more often than their versions are lost', async () => {
    const stage = await open();
    /** What came of each list, by what was listed. */
    const lists = new Map<string, (number | 'no answer')[]>();
    const countLists: Interceptor = (next) => async (request) => {
      if (request.about.verb !== 'list') return next(request);
      const what = request.path.split('&continue')[0] ?? '';
      const outcomes = lists.get(what) ?? [];
      lists.set(what, outcomes);
      try {
        const response = await next(request);
        outcomes.push(response.status);
        return response;
      } catch (error) {
        outcomes.push('no answer');
        throw error;
      }
    };
    // One term: the leader of a new one would have to list everything.
    const timings = { leaseDurationMs: 90_000, renewDeadlineMs: 60_000, retryPeriodMs: 1_000 };
    const { lease } = konnectorOptions(stage.side, stage.local);
    await stage.start(0, { lease: { ...lease, timings } }, 'True', [countLists]);
    const namespace = (await stage.side.namespace()).metadata.name;
    await stage.grow(namespace, 'a');
    await stage.condition(ConditionType.Ready, 'True');
    lists.clear();

    const rounds = 3;
    for (let round = 0; round < rounds; round++) {
      const growing = stage.grow(namespace, ...[0, 1, 2, 3].map((index) => `r${round}-${index}`)).catch(() => {});
      await Promise.all([stage.app.restart(), stage.controlPlane.restart()]);
      await growing;
    }
    await eventually(async () => (await stage.copies(namespace)).size === (await stage.originals(namespace)).size, {
      withinMs: 60_000,
    });
    await stage.condition(ConditionType.Ready, 'True');
    await stayQuiet(3_000);
    // A server that starts refuses lists for a moment, which costs it nothing; only those that it serves can be a storm.
    const tooMany = [...lists].filter(([, outcomes]) => outcomes.filter((one) => one === 200).length > rounds);
    expect(tooMany).toEqual([]);
    await expectBusinessAsUsual(stage, namespace);
  }, 180_000);

  it.each([
    ['was installed anew', false],
    ['went on meanwhile', true],
  ])(
    'KON-33 gives up a namespace that is deleted after the API was bound again and the konnector %s',
    async (_, goesOn) => {
      const stage = await open();
      const first = await stage.start();
      const namespace = (await stage.side.namespace()).metadata.name;
      await stage.grow(namespace, 'a', 'b');
      await stage.give(namespace, 'a-creds');
      const service = await stage.tenant.serviceNamespace(namespace);
      await stage.unbind();
      if (!goesOn) {
        await first.stop();
        await stage.app.admin.resource(Leases).delete({ namespace: stage.side.bindingNamespace, name: 'klutch-bind' });
      }

      await stage.bind();
      if (!goesOn) await stage.start();
      await stage.condition(ConditionType.Ready, 'True');
      await stage.grow(namespace, 'c');
      await stage.app.admin.resource(Namespaces).delete({ name: namespace });
      const isGone = async (cluster: RewindableCluster, name: string) =>
        (await cluster.admin.resource(Namespaces).find({ name })) === undefined;
      await eventually(() => isGone(stage.app, namespace), { withinMs: 60_000 });
      await eventually(() => isGone(stage.controlPlane, service), { withinMs: 60_000 });
      await stage.condition(ConditionType.InstancesSynced, 'True');
      await stage.condition(ConditionType.ClaimsSynced, 'True');
    },
    180_000,
  );

  it('KON-24 heartbeats that were refused for an hour hold nothing up', async () => {
    const stage = await open();
    let isRefused = false;
    const refuse: Interceptor = (next) => async (request) => {
      if (isRefused && request.method !== 'GET' && request.path.includes('/clusterbindings/')) {
        throw new KubeError('KUBE_FORBIDDEN', 'refused by the test', { status: 403 });
      }
      return next(request);
    };
    const first = await stage.start(-3_600, { heartbeatMs: 2_000 }, 'True', [refuse]);
    const namespace = (await stage.side.namespace()).metadata.name;
    await stage.grow(namespace, 'a', 'b');
    await stage.give(namespace, 'a-creds');
    isRefused = true;
    await stage.condition(ConditionType.Heartbeating, 'False');
    await stage.give(namespace, 'b-creds');
    const service = await stage.tenant.serviceNamespace(namespace);
    const secrets = stage.controlPlane.admin.resource(Secrets);
    await secrets.delete({ namespace: service, name: 'b-creds' });
    await eventually(async () => (await stage.received(namespace)).length === 1, { withinMs: 30_000 });
    await expectBusinessAsUsual(stage, namespace);
    await first.stop();
    await forceDelete(stage, namespace, 'a');
    await secrets.delete({ namespace: service, name: 'a-creds' });

    // An hour later, and still refused.
    await stage.start(0, { heartbeatMs: 2_000 }, 'False', [refuse]);
    await copyGoes(stage, namespace, 'a');
    await eventually(async () => (await stage.received(namespace)).length === 0, { withinMs: 30_000 });
    await expectBusinessAsUsual(stage, namespace);
  }, 180_000);
});
