import { type Catalogue, judgeOf, type Service } from '@klutch/catalog';
import { eventually } from '@klutch/kit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inParallel } from '../conformance/fuzz/both-servers.ts';
import { targets } from '../conformance/targets.ts';
import { defaultCatalogue } from './default-catalogue.ts';
import { type ClaimJudge, offlineJudge, serverJudge } from './judges.ts';
import { oldPlan, oldVersion, outlivedRows } from './matrix/index.ts';
import { mistake } from './mistake.ts';

const current = await defaultCatalogue('outlived.klutch.test');
const earlier: Catalogue = { ...current, services: current.services.map(asBefore) };

describe('versions and plans that are gone, without a cluster', () =>
  judged(async () => offlineJudge(judgeOf(current), current)));

for (const target of targets()) {
  const title = `versions and plans that are gone, on ${target.name}${target.missing === undefined ? '' : ` (${target.missing})`}`;
  describe.skipIf(target.missing !== undefined)(title, { meta: { tier: target.tier } }, () =>
    judged(async () => {
      const judge = await serverJudge(await target.start(), earlier, 'catalogue-outlived');
      await inParallel(outlivedRows, 8, async ({ kind, before }) => before && judge.store(kind, before));
      await judge.use(current);
      // A server goes on with the rules that it knows for a moment after a CRD has changed.
      const created = outlivedRows.filter(({ before }) => before === undefined);
      const isCurrent = async () => (await Promise.all(created.map(judge.ask))).every(({ accepted }) => !accepted);
      await eventually(isCurrent, { what: 'the current rules are in force' });
      return judge;
    }),
  );
}

function judged(start: () => Promise<ClaimJudge>): void {
  let judge: ClaimJudge;
  beforeAll(async () => {
    judge = await start();
  });
  afterAll(() => judge?.close());

  it.each([...new Set(outlivedRows.map(({ id }) => id))])('%s', async (id) => {
    const rows = outlivedRows.filter((row) => row.id === id);
    const wrong = await inParallel(rows, 8, (row) => mistake(row, judge));
    expect(wrong.filter((found) => found !== undefined)).toEqual([]);
  });
}

/** With a version and a plan more, without requirements, and with parameters that every backend takes. */
function asBefore(service: Service): Service {
  const backends = service.backends.map(({ name }) => name);
  const traits = service.plans[0]?.traits ?? {};
  return {
    ...service,
    versions: [...service.versions, { name: oldVersion, backends, retired: false }],
    plans: [...service.plans, { name: oldPlan, traits, backends, limits: {}, retired: false }],
    requirements: [],
    parameters: service.parameters.map((field) => ({
      ...field,
      targets: Object.fromEntries(backends.map((backend) => [backend, 'ignored'])),
    })),
  };
}
