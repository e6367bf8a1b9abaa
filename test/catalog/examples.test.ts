import { examplesOf, judgeOf } from '@klutch/catalog';
import { describe, expect, it, onTestFinished } from 'vitest';
import { targets } from '../conformance/targets.ts';
import { defaultCatalogue } from './default-catalogue.ts';
import { type ClaimJudge, offlineJudge, serverJudge } from './judges.ts';

const catalogue = await defaultCatalogue('examples.klutch.test');

describe('examples judged without a cluster', () => judged(async () => offlineJudge(judgeOf(catalogue), catalogue)));

for (const target of targets()) {
  const title = `examples judged by ${target.name}${target.missing === undefined ? '' : ` (${target.missing})`}`;
  describe.skipIf(target.missing !== undefined)(title, { meta: { tier: target.tier } }, () =>
    judged(async () => serverJudge(await target.start(), catalogue, 'catalogue-examples')),
  );
}

function judged(start: () => Promise<ClaimJudge>): void {
  it('are accepted: one of each kind for each of its backends', async () => {
    const judge = await start();
    onTestFinished(() => judge.close());
    const examples = examplesOf(catalogue);

    expect(examples).toHaveLength(15);
    for (const { claim } of examples) {
      expect(await judge.ask(claim), claim.kind).toEqual({ accepted: true, said: '' });
    }
  });
}
