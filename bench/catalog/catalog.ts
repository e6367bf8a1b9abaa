import { compositionsOf, definitionOf, examplesOf, limitProblems, render, templatesOf } from '@klutch/catalog';
import { largeCatalogue } from '../../packages/catalog/src/limits/large-catalogue.fixture.ts';
import { manifest } from '../../packages/catalog/src/render/manifest.ts';
import { median } from '../harness/measure.ts';
import type { Figure } from '../harness/report.ts';

const repeats = 5;

/** A made-up catalogue of 200 services with 20 plans each. The floor only writes the same objects, once they are there. */
export async function run(): Promise<readonly Figure[]> {
  const catalogue = largeCatalogue({ services: 200, plans: 20 });
  const objects = [
    ...catalogue.services.map((service) => definitionOf(service, catalogue)),
    ...compositionsOf(catalogue),
    ...templatesOf(catalogue),
    ...examplesOf(catalogue).map(({ claim }) => claim),
  ];
  const rounds = Array.from({ length: repeats }, () => ({
    rendering: cpuSeconds(() => render(catalogue)),
    writing: cpuSeconds(() => objects.map(manifest)),
    checking: cpuSeconds(() => limitProblems(catalogue)),
  }));
  const rendering = median(rounds.map((round) => round.rendering));
  const writing = median(rounds.map((round) => round.writing));
  const checking = median(rounds.map((round) => round.checking));
  return [
    {
      what: 'render 200 services with 20 plans each',
      measured: `${rendering.toFixed(2)} CPU-seconds, ${(rounds[0]?.rendering ?? 0).toFixed(2)} the first time`,
      value: rendering,
      goal: { atMost: 2 },
    },
    {
      what: 'the same against writing its objects as YAML',
      measured: `${rendering.toFixed(2)} s against ${writing.toFixed(2)} s`,
      value: rendering / writing,
      goal: { atMost: 2 },
    },
    {
      what: 'hold it against the limits of Kubernetes, against rendering',
      measured: `${checking.toFixed(2)} s against ${rendering.toFixed(2)} s`,
      value: checking / rendering,
      goal: { atMost: 3 },
    },
  ];
}

/** Of the processor, so that what else the machine does counts little; on one that is free, it takes no longer. */
function cpuSeconds(work: () => unknown): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1e6;
}
