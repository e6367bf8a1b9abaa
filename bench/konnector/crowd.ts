import { annotations, boundValue, fieldManager, finalizers } from '@klutch/api';
import type { UnknownObject } from '@klutch/kube';
import { concurrently, median } from '../harness/measure.ts';
import type { Figure } from '../harness/report.ts';
import { original, setStatus, type Stage, whenAll, whenNone } from './stage.ts';

/** Seconds that each of the three movements took. */
interface Times {
  readonly up: number;
  readonly down: number;
  readonly gone: number;
}

/** Many objects at once: the konnector against a bare loop of the same writes in the same run. */
export async function crowd(stage: Stage, count = 1_000, rounds = 3): Promise<readonly Figure[]> {
  const floors: Times[] = [];
  const ours: Times[] = [];
  // In turns, so that what else the machine does hits both alike.
  for (let round = 0; round < rounds; round++) {
    floors.push(await bareLoop(stage, count, `floor-${round}`));
    ours.push(await carriedCrowd(stage, count, `crowd-${round}`));
  }
  const figure = (what: string, key: keyof Times, goal: number): Figure => {
    const [our, floor] = [median(ours.map((one) => one[key])), median(floors.map((one) => one[key]))];
    return {
      what: `${count} ${what}`,
      measured: `${our.toFixed(1)} s; bare loop ${floor.toFixed(1)} s; goal ${goal} s or 1.5 times the loop`,
      value: Math.min(our / goal, our / (1.5 * floor)),
      goal: { atMost: 1 },
    };
  };
  return [figure('objects up', 'up', 5), figure('statuses down', 'down', 4), figure('objects deleted', 'gone', 6)];
}

const inFlight = 16;

/** Many objects at once through whichever konnector runs. */
export async function carriedCrowd(stage: Stage, count: number, prefix: string): Promise<Times> {
  const originals = stage.app.admin.resource(stage.api.type);
  const service = await stage.tenant.serviceNamespace(stage.namespace);
  const named = (object: UnknownObject) => String(object.metadata.name).startsWith(`${prefix}-`);
  const up = await seconds(async () => {
    const arrived = whenAll(stage.copies, count, named);
    await concurrently(count, inFlight, (index) => originals.create(original(stage, `${prefix}-${index}`)));
    await arrived;
  });
  const down = await seconds(async () => {
    const arrived = whenAll(stage.originals, count, (object) => named(object) && object['status'] !== undefined);
    await concurrently(count, inFlight, (index) =>
      setStatus(stage.controlPlane.admin, stage, { name: `${prefix}-${index}`, namespace: service }, 'crowd'),
    );
    await arrived;
  });
  const gone = await seconds(async () => {
    await concurrently(count, inFlight, (index) =>
      originals.delete({ name: `${prefix}-${index}`, namespace: stage.namespace }),
    );
    await Promise.all([whenNone(stage.originals, named), whenNone(stage.copies, named)]);
  });
  return { up, down, gone };
}

/** The same requests to the same servers, by somebody who knows beforehand what to send, for an API that nobody binds. */
async function bareLoop(stage: Stage, count: number, prefix: string): Promise<Times> {
  const api = stage.unboundApi;
  const floor = { api, namespace: stage.namespace };
  const originals = stage.app.admin.resource(api.type);
  const copies = stage.controlPlane.admin.resource(api.type);
  const originalAt = (index: number) => ({ name: `${prefix}-${index}`, namespace: stage.namespace });
  const copyAt = (index: number) => ({ name: `${prefix}-${index}`, namespace: stage.tenant.clusterNamespace });
  const up = await seconds(() =>
    concurrently(count, inFlight, async (index) => {
      const created = await originals.create(original(floor, `${prefix}-${index}`));
      const metadata = {
        resourceVersion: created.metadata.resourceVersion,
        finalizers: [finalizers.syncer],
        annotations: { [annotations.bound]: boundValue },
      };
      await originals.patch(originalAt(index), { type: 'merge', patch: { metadata } });
      const copy = { ...original(floor, `${prefix}-${index}`), metadata: copyAt(index) };
      await copies.apply(copy, { fieldManager, force: true });
    }),
  );
  const down = await seconds(() =>
    concurrently(count, inFlight, async (index) => {
      await setStatus(stage.controlPlane.admin, floor, copyAt(index), 'floor');
      await setStatus(stage.app.admin, floor, originalAt(index), 'floor');
    }),
  );
  const gone = await seconds(() =>
    concurrently(count, inFlight, async (index) => {
      await originals.delete(originalAt(index));
      await copies.delete(copyAt(index));
      await originals.patch(originalAt(index), { type: 'merge', patch: { metadata: { finalizers: null } } });
    }),
  );
  return { up, down, gone };
}

async function seconds(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return (performance.now() - began) / 1000;
}
