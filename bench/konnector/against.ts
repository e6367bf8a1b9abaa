import { bundleKonnector, type KonnectorProgram } from '../../test/konnector/konnector-child.ts';
import { concurrently, median, percentile } from '../harness/measure.ts';
import type { Figure } from '../harness/report.ts';
import { carriedCrowd } from './crowd.ts';
import { carriedRounds } from './latency.ts';
import { atRest, settled } from './multitude.ts';
import { openStage, original, type Stage, whenAll } from './stage.ts';
import { startChild } from './start-child.ts';

/** How much is done in each run; less for a trial. */
interface Extent {
  /** Runs of each konnector. */
  readonly runs: number;
  /** Objects that are there all the time. */
  readonly resting: number;
  /** Objects one at a time. */
  readonly single: number;
  /** Objects at once. */
  readonly crowd: number;
  readonly restSeconds: number;
}

const full: Extent = { runs: 5, resting: 5_000, single: 400, crowd: 500, restSeconds: 20 };

/** Enough to see that it works. */
export const trial: Extent = { runs: 2, resting: 50, single: 5, crowd: 20, restSeconds: 1 };

/** The konnector of this checkout and that of another, in turns on the same clusters; no figure may be 5% worse. */
export async function runAgainst(checkout: string, given: Partial<Extent> = {}): Promise<readonly Figure[]> {
  const extent = { ...full, ...given };
  const [ours, theirs] = [await bundleKonnector(), await bundleKonnector(checkout)];
  const stage = await openStage();
  try {
    await fill(stage, ours, extent);
    const [theirLast = '', ourLast = ''] = restingNames(extent).sort().slice(-2);
    const runs: Readonly<Record<'ours' | 'theirs', Values[]>> = { ours: [], theirs: [] };
    for (let run = 0; run < extent.runs; run++) {
      runs.theirs.push(await oneRun(stage, theirs, { ...extent, name: `theirs-${run}`, changes: theirLast }));
      runs.ours.push(await oneRun(stage, ours, { ...extent, name: `ours-${run}`, changes: ourLast }));
    }
    return figures(runs.ours, runs.theirs);
  } finally {
    await stage.close();
    await Promise.all([ours.remove(), theirs.remove()]);
  }
}

interface Run extends Extent {
  readonly name: string;
  /** One of the last objects, which no other konnector writes: what one left behind does not cost the other time. */
  readonly changes: string;
}

/** What a run measured, by what it is; less is better. */
type Values = Readonly<Record<string, number>>;

/** Pure: the medians of both, one figure for each thing measured. */
export function figures(ours: readonly Values[], theirs: readonly Values[]): readonly Figure[] {
  return Object.keys(ours[0] ?? {}).map((what) => {
    const [our, their] = [ours, theirs].map((runs) => median(runs.map((run) => run[what] ?? Number.NaN)));
    const ratio = our === their ? 1 : (our ?? Number.NaN) / (their ?? Number.NaN);
    return { what, measured: `${our?.toFixed(2)} against ${their?.toFixed(2)}`, value: ratio, goal: { atMost: 1.05 } };
  });
}

async function oneRun(
  stage: Stage,
  program: KonnectorProgram,
  { name, changes, single, crowd, resting, restSeconds }: Run,
): Promise<Values> {
  // While nobody looked, one object was changed: it is in step again only when all have been compared.
  const note = `changed before ${name}`;
  const last = { namespace: stage.namespace, name: changes };
  const inStep = whenAll(stage.copies, 1, (copy) => JSON.stringify(copy['spec']).includes(note));
  await stage.app.admin.resource(stage.api.type).patch(last, { type: 'merge', patch: { spec: { params: { note } } } });
  const child = await startChild(stage, program);
  const began = performance.now();
  await inStep;
  const restart = (performance.now() - began) / 1000;

  const round = await carriedRounds(stage);
  const times: { readonly up: number; readonly down: number; readonly edit: number }[] = [];
  for (let count = 0; count < single; count++) times.push(await round(`${name}-single-${count}`));
  const many = await carriedCrowd(stage, crowd, `${name}-crowd`);
  await settled(child);
  const rest = await atRest(child, restSeconds);
  await child.stop();
  const singles = (key: 'up' | 'down' | 'edit', percent: number) =>
    percentile(
      times.map((one) => one[key]),
      percent,
    );
  return {
    'create reaches the control plane, p50 ms': singles('up', 50),
    'create reaches the control plane, p99 ms': singles('up', 99),
    'status reaches the app cluster, p50 ms': singles('down', 50),
    'status reaches the app cluster, p99 ms': singles('down', 99),
    'edit reaches the control plane, p50 ms': singles('edit', 50),
    'edit reaches the control plane, p99 ms': singles('edit', 99),
    [`${crowd} objects up, s`]: many.up,
    [`${crowd} statuses down, s`]: many.down,
    [`${crowd} objects deleted, s`]: many.gone,
    [`restart with ${resting} objects, s`]: restart,
    'memory, MB': rest.rss / 1e6,
    'processor at rest, %': rest.cpuPercent,
    'writes at rest': rest.writes,
  };
}

/** Objects that are there in every run, and the place of their namespace on the control plane. */
async function fill(stage: Stage, program: KonnectorProgram, { resting }: Extent): Promise<void> {
  const child = await startChild(stage, program);
  await stage.side.condition(stage.api, 'Ready', 'True');
  const arrived = whenAll(stage.copies, resting, ({ metadata }) => metadata.name?.startsWith('rest-') ?? false);
  const originals = stage.app.admin.resource(stage.api.type);
  const names = restingNames({ resting });
  await concurrently(resting, 16, (index) => originals.create(original(stage, names[index] ?? '')));
  await arrived;
  await child.stop();
}

function restingNames({ resting }: Pick<Extent, 'resting'>): string[] {
  return Array.from({ length: resting }, (_, index) => `rest-${index}`);
}
