import { judgeOf } from '@klutch/catalog';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inParallel } from '../conformance/fuzz/both-servers.ts';
import { targets } from '../conformance/targets.ts';
import { defaultCatalogue } from './default-catalogue.ts';
import { type ClaimJudge, offlineJudge, serverJudge } from './judges.ts';
import { matrix, ownRows } from './matrix/index.ts';
import { mistake } from './mistake.ts';
import { planJudge } from './plan-judge.ts';

const group = 'acceptance.klutch.test';
const catalogue = await defaultCatalogue(group);

const rows = [...matrix, ...ownRows];

describe('claims judged without a cluster', () => judged(async () => offlineJudge(judgeOf(catalogue), catalogue)));
describe('claims judged by klutch plan', () => judged(async () => planJudge(rows)));

for (const target of targets()) {
  const title = `claims judged by ${target.name}${target.missing === undefined ? '' : ` (${target.missing})`}`;
  describe.skipIf(target.missing !== undefined)(title, { meta: { tier: target.tier } }, () =>
    judged(async () => serverJudge(await target.start(), catalogue, 'catalogue-acceptance')),
  );
}

function judged(start: () => Promise<ClaimJudge>): void {
  let judge: ClaimJudge;
  beforeAll(async () => {
    judge = await start();
  });
  afterAll(() => judge?.close());

  for (const id of new Set(rows.map((row) => row.id))) {
    const ofId = rows.filter((row) => row.id === id);
    it(`${id} (${ofId.length} claims)`, async () => {
      const wrong = await inParallel(ofId, 16, (row) => mistake(row, judge));
      expect(wrong.filter((found) => found !== undefined)).toEqual([]);
    });
  }
}
