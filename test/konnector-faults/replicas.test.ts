import { setTimeout as pauseFor } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { LeaseTimings } from '@klutch/kube';
import type { Tier } from '@klutch/kit';
import { describeReal } from '@klutch/kit/vitest';
import { isKubeError, keyOf, Leases, startInformer, type UnknownObject } from '@klutch/kube';
import { eventually } from '@klutch/kube/testing';
import { describe, expect, it } from 'vitest';
import { widget } from '../konnector/app-side.ts';
import { installKinds, unique } from '../konnector/clusters.ts';
import { bundleKonnector, type KonnectorChild } from '../konnector/konnector-child.ts';
import { konnectorOptions } from '../konnector/run-konnector.ts';
import { auditedWrites, auditPolicy, type ReplicaWrite, writesWithoutLease } from './leader-writes.ts';
import { openRewindable } from './rewindable.ts';
import { openStage, type Stage } from './stage.ts';

interface Course {
  readonly lastsMs: number;
  readonly killEveryMs: number;
  readonly timings: LeaseTimings | undefined;
}

/** With `KLUTCH_SOAK=1` as long as a release asks for, and with the timings that are used in earnest. */
const course: Course =
  process.env['KLUTCH_SOAK'] === '1'
    ? { lastsMs: 300_000, killEveryMs: 10_000, timings: undefined }
    : {
        lastsMs: 25_000,
        killEveryMs: 3_000,
        timings: { leaseDurationMs: 1_500, renewDeadlineMs: 1_000, retryPeriodMs: 100 },
      };
const timeout = course.lastsMs + 150_000;

describe('two replicas whose leader is killed again and again (embedded)', () => {
  it('lose nothing, make nothing twice, and only the leader writes', { timeout }, () => play('embedded'));
});
describeReal('two replicas whose leader is killed again and again (real)', () => {
  it('lose nothing, make nothing twice, and only the leader writes', { timeout }, () => play('real'));
});

async function play(tier: Tier): Promise<void> {
  const audit = { policy: auditPolicy };
  const [app, controlPlane] = await Promise.all([openRewindable(tier, { audit }), openRewindable(tier, { audit })]);
  await installKinds(controlPlane);
  const stage = await openStage({ tier, app, controlPlane });
  const replicas = await startReplicas(stage);
  const recorder = recordCopies(stage);
  try {
    const namespaces = await Promise.all([0, 1, 2, 3].map(async () => (await stage.side.namespace()).metadata.name));
    await stage.condition('SchemaInSync', 'True');
    const over = new AbortController();
    const load = Promise.all(namespaces.map((namespace) => loadNamespace(stage, namespace, over.signal)));
    const [kills, names] = await Promise.all([killLeaders(replicas).finally(() => over.abort()), load]);
    const deleted = new Set(names.flatMap((one) => [...one]));

    const compared = await eventually(() => compare(stage, namespaces), { withinMs: 90_000, everyMs: 250 });
    const copiedTwice = [...recorder.uids].filter(([key, uids]) => uids.size > 1 && !deleted.has(nameIn(key)));
    expect(copiedTwice).toEqual([]);
    expect(kills).toBeGreaterThanOrEqual(Math.floor(course.lastsMs / course.killEveryMs / 2));
    await expectOnlyLeadersWrote(stage, replicas, kills, compared);
  } finally {
    await recorder.stop();
    await replicas.stop();
    await stage.close();
    await Promise.all([app.close(), controlPlane.close()]);
  }
}

async function expectOnlyLeadersWrote(
  { app, controlPlane }: Stage,
  replicas: Replicas,
  kills: number,
  objects: number,
) {
  expect(writesWithoutLease(replicas.writes)).toEqual([]);
  if (app.auditLog === undefined || controlPlane.auditLog === undefined) return;
  const logs = [app.auditLog, controlPlane.auditLog];
  const [below = [], above = []] = await Promise.all(logs.map((log) => auditedWrites(log, replicas.versions)));
  const counts = `${below.length} writes to the app cluster and ${above.length} to the control plane`;
  console.log(`audit: ${counts} by ${replicas.versions.size} replicas, ${kills} kills, ${objects} objects in the end`);
  // Whatever a replica was told to have written is in a log, or the logs prove nothing.
  const done = (writes: readonly ReplicaWrite[]) => writes.filter(({ succeeded }) => succeeded).length;
  expect(done([...below, ...above])).toBeGreaterThanOrEqual(done(replicas.writes));
  expect(writesWithoutLease([...below, ...above])).toEqual([]);
}

interface Replicas {
  readonly writes: readonly ReplicaWrite[];
  /** Names of replicas by the version they report. */
  readonly versions: ReadonlyMap<string, string>;
  /** Waits until one leads, kills it with SIGKILL, and starts another. */
  killLeader(): Promise<void>;
  stop(): Promise<void>;
}

async function startReplicas({ app, side, local }: Stage): Promise<Replicas> {
  const program = await bundleKonnector();
  const writes: ReplicaWrite[] = [];
  const versions = new Map<string, string>();
  const living = new Map<string, KonnectorChild>();
  const options = konnectorOptions(side, local);
  const fresh = () => program.fork({ ended: (write) => void writes.push(write) });
  // Loaded before it is needed: two are there all the time.
  let spare = fresh();

  async function add(): Promise<void> {
    const child = spare;
    spare = fresh();
    const identity = unique('replica');
    const version = `1.0.${versions.size + 1}`;
    versions.set(version, identity);
    living.set(identity, child);
    await child.start({ ...options, version, lease: { ...options.lease, identity, timings: course.timings } });
  }

  async function leader(): Promise<string> {
    const { spec } = await app.admin.resource(Leases).get({ ...options.lease });
    const holder = [...living.keys()].find((identity) => identity === spec?.holderIdentity);
    if (holder === undefined) throw new Error('No replica leads.');
    return holder;
  }

  await add();
  await add();
  return {
    writes,
    versions,
    killLeader: async () => {
      const identity = await eventually(leader, { withinMs: 60_000 });
      await living.get(identity)?.kill();
      living.delete(identity);
      await add();
    },
    stop: async () => {
      await Promise.all([...living.values(), spare].map((child) => child.stop()));
      await program.remove();
    },
  };
}

async function killLeaders(replicas: Replicas): Promise<number> {
  const until = Date.now() + course.lastsMs;
  let kills = 0;
  while (Date.now() < until) {
    await pauseFor(course.killEveryMs);
    await replicas.killLeader();
    kills += 1;
  }
  return kills;
}

/** A user who creates, changes and deletes, and a provider who reports; answers with the names that were deleted. */
async function loadNamespace({ app, controlPlane, tenant, api }: Stage, namespace: string, signal: AbortSignal) {
  const originals = app.admin.resource(api.type);
  const copies = controlPlane.admin.resource(api.type);
  const service = `${tenant.clusterNamespace}-${namespace}`;
  const deleted = new Set<string>();
  for (let count = 0; !signal.aborted; count++) {
    const name = `${namespace}-${count}`;
    await originals.create(widget(api, name, namespace, { size: 1 }));
    const earlier = `${namespace}-${Math.max(0, count - 3)}`;
    const edit = { spec: { size: count + 2, tags: [`t${count}`] } };
    if (!deleted.has(earlier)) await originals.patch({ namespace, name: earlier }, { type: 'merge', patch: edit });
    const report = { type: 'merge', patch: { status: { phase: `p${count}` } } } as const;
    await ifThere(() => copies.patch({ namespace: service, name: earlier }, report, { subresource: 'status' }));
    if (count % 4 === 3) {
      deleted.add(earlier);
      await originals.delete({ namespace, name: earlier });
    }
    await pauseFor(150);
  }
  return deleted;
}

/** The number of objects, when both sides agree. */
async function compare({ app, controlPlane, tenant, api }: Stage, namespaces: readonly string[]): Promise<number> {
  let count = 0;
  for (const namespace of namespaces) {
    const service = await tenant.serviceNamespace(namespace);
    const [originals, copies] = await Promise.all([
      app.admin.resource(api.type).list({ namespace }),
      controlPlane.admin.resource(api.type).list({ namespace: service }),
    ]);
    const [below, above] = [contentOf(originals.items), contentOf(copies.items)];
    if (!isDeepStrictEqual(below, above)) throw new Error(`${namespace} differs: ${firstDifference(below, above)}`);
    count += below.size;
  }
  return count;
}

function contentOf(objects: readonly UnknownObject[]): Map<string, unknown> {
  return new Map(objects.map((one) => [one.metadata.name ?? '', { spec: one['spec'], status: one['status'] }]));
}

function firstDifference(a: Map<string, unknown>, b: Map<string, unknown>): string {
  const name = [...new Set([...a.keys(), ...b.keys()])].find((one) => !isDeepStrictEqual(a.get(one), b.get(one))) ?? '';
  return `${name} is ${JSON.stringify(a.get(name))}, above ${JSON.stringify(b.get(name))}`;
}

/** Every UID that a copy ever had. */
function recordCopies({ controlPlane, api }: Stage) {
  const stop = new AbortController();
  const uids = new Map<string, Set<string>>();
  const informer = startInformer({ client: controlPlane.admin.resource(api.type) }, stop.signal);
  informer.subscribe(({ object: { metadata } }) => {
    const key = keyOf({ namespace: metadata.namespace, name: metadata.name ?? '' });
    uids.set(key, (uids.get(key) ?? new Set()).add(metadata.uid ?? ''));
  });
  return {
    uids,
    stop: async () => {
      stop.abort();
      await informer.stopped;
    },
  };
}

async function ifThere(act: () => Promise<unknown>): Promise<void> {
  try {
    await act();
  } catch (error) {
    if (!isKubeError(error, 'KUBE_NOT_FOUND')) throw error;
  }
}

function nameIn(key: string): string {
  return key.slice(key.indexOf('/') + 1);
}
