import { setTimeout as pauseFor } from 'node:timers/promises';
import type { KonnectorChild, KonnectorProgram } from '../../test/konnector/konnector-child.ts';
import { concurrently } from '../harness/measure.ts';
import type { Figure } from '../harness/report.ts';
import { original, type Stage, whenAll } from './stage.ts';
import { startChild } from './start-child.ts';

/** A large number of objects at rest: what they cost, and how long a restart takes until all are in step again. */
export async function multitude(
  stage: Stage,
  child: KonnectorChild,
  program: KonnectorProgram,
  count = 10_000,
): Promise<readonly Figure[]> {
  const originals = stage.app.admin.resource(stage.api.type);
  const isOneOfThem = ({ metadata }: { readonly metadata: { readonly name?: string } }) =>
    metadata.name?.startsWith('many-') ?? false;
  const arrived = whenAll(stage.copies, count, isOneOfThem);
  await concurrently(count, 16, (index) => originals.create(original(stage, `many-${index}`)));
  await arrived;
  await settled(child);
  const rest = await atRest(child, 60);
  await child.stop();

  // While nobody looked, one object was changed: it is in step again only when all have been compared.
  const last = { namespace: stage.namespace, name: `many-${count - 1}` };
  await originals.patch(last, { type: 'merge', patch: { spec: { size: 77 } } });
  const inStep = whenAll(
    stage.copies,
    1,
    (copy) => copy.metadata.name === last.name && (copy['spec'] as { size?: number }).size === 77,
  );
  const began = performance.now();
  const successor = await startChild(stage, program);
  const started = performance.now();
  await inStep;
  const seconds = (performance.now() - started) / 1000;
  await settled(successor);
  const after = await successor.usage();
  await successor.stop();
  return [
    figure(`writes in 60 s at rest with ${count} objects`, `${rest.writes}`, rest.writes, 0),
    figure(`memory with ${count} objects`, `${(rest.rss / 1e6).toFixed(0)} MB`, rest.rss / 1e6, 120),
    figure(`memory after a restart with ${count} objects`, `${(after.rss / 1e6).toFixed(0)} MB`, after.rss / 1e6, 120),
    figure('processor at rest', `${rest.cpuPercent.toFixed(2)} %`, rest.cpuPercent, 1),
    figure(
      `restart with ${count} objects`,
      `${seconds.toFixed(1)} s after ${((started - began) / 1000).toFixed(1)} s for process and lease`,
      seconds,
      5,
    ),
  ];
}

function figure(what: string, measured: string, value: number, atMost: number): Figure {
  return { what, measured, value, goal: { atMost } };
}

/** What a konnector does while nothing happens. */
export async function atRest(child: KonnectorChild, seconds: number) {
  const before = await child.usage();
  await pauseFor(seconds * 1000);
  const after = await child.usage();
  const micros = after.cpu.user + after.cpu.system - before.cpu.user - before.cpu.system;
  return { writes: after.writes - before.writes, rss: after.rss, cpuPercent: micros / 1e4 / seconds };
}

/** Waits until it writes no more, for at most a minute. */
export async function settled(child: KonnectorChild): Promise<void> {
  for (let look = 0, before = -1; look < 20; look++) {
    const { writes } = await child.usage();
    if (writes === before) return;
    before = writes;
    await pauseFor(3_000);
  }
}
