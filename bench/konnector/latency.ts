import type { Informer, UnknownObject } from '@klutch/kube';
import { percentile } from '../harness/measure.ts';
import type { Figure } from '../harness/report.ts';
import { original, setStatus, type Stage } from './stage.ts';

/** One object at a time: how long until the other side shows it. */
export async function latency(stage: Stage, rounds = 120): Promise<readonly Figure[]> {
  const originals = stage.app.admin.resource(stage.api.type);
  const service = await stage.tenant.serviceNamespace(stage.namespace);
  const up: number[] = [];
  const down: number[] = [];
  const edit: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const name = `single-${round}`;
    const ref = { name, namespace: stage.namespace };
    const copy = { name, namespace: service };
    up.push(
      await timed(
        () => originals.create(original(stage, name)),
        seen(stage.copies, copy, () => true),
      ),
    );
    down.push(
      await timed(
        () => setStatus(stage.controlPlane.admin, stage, copy, `round-${round}`),
        seen(stage.originals, ref, (object) => phaseOf(object) === `round-${round}`),
      ),
    );
    edit.push(
      await timed(
        () => originals.patch(ref, { type: 'merge', patch: { spec: { size: 7 } } }),
        seen(stage.copies, copy, (object) => sizeOf(object) === 7),
      ),
    );
    await originals.delete(ref);
  }
  return [
    ...figures('create reaches the control plane', up, 12),
    ...figures('status reaches the app cluster', down, 9),
    ...figures('edit reaches the control plane', edit, 10),
  ];
}

function figures(what: string, values: readonly number[], p50: number): readonly Figure[] {
  const at = (percent: number) => percentile(values, percent);
  return [
    { what: `${what}, p50`, measured: `${at(50).toFixed(1)} ms`, value: at(50), goal: { atMost: p50 } },
    { what: `${what}, p99`, measured: `${at(99).toFixed(1)} ms`, value: at(99), goal: { atMost: 30 } },
  ];
}

async function timed(act: () => Promise<unknown>, outcome: Promise<void>): Promise<number> {
  const began = performance.now();
  await act();
  await outcome;
  return performance.now() - began;
}

function seen(
  informer: Informer<UnknownObject>,
  ref: { readonly name: string; readonly namespace: string },
  condition: (object: UnknownObject) => boolean,
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
