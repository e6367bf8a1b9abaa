import { fieldManager, finalizers } from '@klutch/api';
import { type Informer, startInformer, type UnknownObject } from '@klutch/kube';
import { installCrd } from '../../test/konnector/clusters.ts';
import { sampleApi } from '../../test/konnector/sample-api.ts';
import { percentile } from '../harness/measure.ts';
import type { Figure } from '../harness/report.ts';
import { original, setStatus, type Stage, whenNone } from './stage.ts';

/** One object at a time: how long until the other side shows it, and how long the same requests take by themselves. */
export async function latency(stage: Stage, rounds = 600): Promise<readonly Figure[]> {
  const [floor, ours] = [noTimes(), noTimes()];
  const bare = await bareRequests(stage);
  const carried = await carriedRounds(stage);
  // In turns, so that what else the machine does hits both alike.
  for (let round = -warmUps; round < rounds; round++) {
    const [bareTimes, ourTimes] = [
      await bare.round(`floor-${round + warmUps}`),
      await carried(`single-${round + warmUps}`),
    ];
    if (round < 0) continue;
    note(floor, bareTimes);
    note(ours, ourTimes);
  }
  await bare.close();
  return [
    ...figures('create reaches the control plane', ours.up, floor.up, 12),
    ...figures('status reaches the app cluster', ours.down, floor.down, 9),
    ...figures('edit reaches the control plane', ours.edit, floor.edit, 10),
  ];
}

/** Milliseconds of each round. */
interface Times {
  readonly up: number[];
  readonly down: number[];
  readonly edit: number[];
}

type RoundTimes = Readonly<Record<keyof Times, number>>;

/** Does one round with an object of that name. */
type Round = (name: string) => Promise<RoundTimes>;

function noTimes(): Times {
  return { up: [], down: [], edit: [] };
}

function note(times: Times, { up, down, edit }: RoundTimes): void {
  times.up.push(up);
  times.down.push(down);
  times.edit.push(edit);
}

/** Rounds that do not count: code is compiled, connections are opened. */
const warmUps = 30;

/** Rounds through whichever konnector runs. */
export async function carriedRounds(stage: Stage): Promise<Round> {
  const originals = stage.app.admin.resource(stage.api.type);
  const service = await stage.tenant.serviceNamespace(stage.namespace);
  return async (name) => {
    const ref = { name, namespace: stage.namespace };
    const copy = { name, namespace: service };
    const here = (condition: Condition) => seen(stage.originals, ref, condition);
    const there = (condition: Condition) => seen(stage.copies, copy, condition);
    const up = await timed(
      () => originals.create(original(stage, name)),
      there(() => true),
    );
    const down = await timed(
      () => setStatus(stage.controlPlane.admin, stage, copy, name),
      here((object) => phaseOf(object) === name),
    );
    const edit = await timed(
      () => originals.patch(ref, { type: 'merge', patch: { spec: { size: 7 } } }),
      there((object) => sizeOf(object) === 7),
    );
    const gone = whenNone(stage.originals, ({ metadata }) => metadata.name === name);
    await originals.delete(ref);
    await gone;
    return { up, down, edit };
  };
}

/** The requests that a konnector cannot do without, one after the other, until a watch shows the last one. */
async function bareRequests(stage: Stage): Promise<{ readonly round: Round; close(): Promise<void> }> {
  const api = sampleApi({ group: 'single.example.org' });
  await Promise.all([installCrd(stage.app.admin, api.crd), installCrd(stage.controlPlane.admin, api.crd)]);
  const stop = new AbortController();
  const originals = stage.app.admin.resource(api.type);
  const copies = stage.controlPlane.admin.resource(api.type);
  const shownOriginals = startInformer({ client: originals }, stop.signal);
  const shownCopies = startInformer({ client: copies }, stop.signal);
  await Promise.all([shownOriginals.synced, shownCopies.synced]);

  async function round(name: string): Promise<RoundTimes> {
    const ref = { name, namespace: stage.namespace };
    const copy = { name, namespace: stage.tenant.clusterNamespace };
    const wanted = (size: number) => ({ ...original({ ...stage, api }, name, size), metadata: copy });
    const up = await timed(
      async () => {
        await originals.create(original({ ...stage, api }, name));
        await originals.patch(ref, { type: 'merge', patch: { metadata: { finalizers: [finalizers.syncer] } } });
        await copies.apply(wanted(1), { fieldManager, force: true });
      },
      seen(shownCopies, copy, () => true),
    );
    const down = await timed(
      async () => {
        await setStatus(stage.controlPlane.admin, { api }, copy, name);
        await setStatus(stage.app.admin, { api }, ref, name);
      },
      seen(shownOriginals, ref, (object) => phaseOf(object) === name),
    );
    const edit = await timed(
      async () => {
        await originals.patch(ref, { type: 'merge', patch: { spec: { size: 7 } } });
        await copies.apply(wanted(7), { fieldManager, force: true });
      },
      seen(shownCopies, copy, (object) => sizeOf(object) === 7),
    );
    return { up, down, edit };
  }

  return {
    round,
    close: async () => {
      stop.abort();
      await Promise.all([shownOriginals.stopped, shownCopies.stopped]);
    },
  };
}

function figures(what: string, ours: readonly number[], floor: readonly number[], p50: number): readonly Figure[] {
  return [figure(`${what}, p50`, 50, p50), figure(`${what}, p99`, 99, 30)];

  function figure(title: string, percent: number, goal: number): Figure {
    const [ourMs, floorMs] = [percentile(ours, percent), percentile(floor, percent)];
    return {
      what: title,
      measured: `${ourMs.toFixed(1)} ms; bare requests ${floorMs.toFixed(1)} ms; goal ${goal} ms or 1.5 times the requests`,
      value: Math.min(ourMs / goal, ourMs / (1.5 * floorMs)),
      goal: { atMost: 1 },
    };
  }
}

type Condition = (object: UnknownObject) => boolean;

async function timed(act: () => Promise<unknown>, outcome: Promise<void>): Promise<number> {
  const began = performance.now();
  await act();
  await outcome;
  return performance.now() - began;
}

function seen(
  informer: Informer<UnknownObject>,
  ref: { readonly name: string; readonly namespace: string },
  condition: Condition,
): Promise<void> {
  const key = `${ref.namespace}/${ref.name}`;
  return new Promise((resolve) => {
    const unsubscribe = informer.subscribe((change) => {
      if (change.key !== key || change.type === 'deleted' || !condition(change.object)) return;
      queueMicrotask(() => {
        unsubscribe();
        resolve();
      });
    });
  });
}

function phaseOf(object: UnknownObject): unknown {
  return (object['status'] as { phase?: string } | undefined)?.phase;
}

function sizeOf(object: UnknownObject): unknown {
  return (object['spec'] as { size?: number } | undefined)?.size;
}
