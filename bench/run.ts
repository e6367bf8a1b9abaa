import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { reached, table, writeReport } from './harness/report.ts';
import type { Figure } from './harness/report.ts';

/** The benchmarks by name. Each runs its rival or its floor in the same run and returns figures. */
const benchmarks: Readonly<Record<string, () => Promise<{ run: () => Promise<readonly Figure[]> }>>> = {
  kube: () => import('./kube/kube.ts'),
  apiserver: () => import('./apiserver/apiserver.ts'),
  konnector: () => import('./konnector/konnector.ts'),
  catalog: () => import('./catalog/catalog.ts'),
};

/** `--against <folder>` holds the konnector against that of another checkout of this repository. */
const { values, positionals: wanted } = parseArgs({
  allowPositionals: true,
  options: { against: { type: 'string' }, trial: { type: 'boolean' } },
});
const unknown = wanted.filter((name) => !(name in benchmarks));
if (unknown.length > 0) {
  console.error(`No benchmark is called ${unknown.join(', ')}. There are: ${Object.keys(benchmarks).join(', ')}.`);
  process.exit(2);
}
if (values.against !== undefined && wanted.join() !== 'konnector') {
  console.error(
    'Only the konnector can be held against another checkout: npm run bench -- konnector --against <folder>',
  );
  process.exit(2);
}

let missed = 0;
for (const [name, load] of Object.entries(benchmarks)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  console.log(`bench/${name}`);
  const figures = values.against === undefined ? await (await load()).run() : await against(values.against);
  console.log(`${table(figures)}\n`);
  await writeReport(join('.cache', 'bench', `${name}.json`), figures);
  missed += figures.filter((figure) => !reached(figure)).length;
}
process.exitCode = missed > 0 ? 1 : 0;

async function against(checkout: string): Promise<readonly Figure[]> {
  const { runAgainst, trial } = await import('./konnector/against.ts');
  return runAgainst(resolve(checkout), values.trial ? trial : {});
}
