import { type Judge, judgeOf, rulesOf } from '@klutch/catalog';
import { describe, expect, it } from 'vitest';
import { defaultCatalogue, offersOf } from './default-catalogue.ts';
import { offlineJudge } from './judges.ts';
import { matrix, outlivedRows, ownRows } from './matrix/index.ts';

const catalogue = await defaultCatalogue('anynines.com');

describe.each(offersOf(catalogue))('without one of its rules, $kind', (offer) => {
  const rules = rulesOf(offer, catalogue);
  const rows = [...matrix, ...ownRows, ...outlivedRows].filter(({ kind }) => kind === offer.kind);

  it.each(rules)('accepts a claim that must be refused: $id', async ({ id }) => {
    const judge = judgeOf(catalogue, () => rules.filter((rule) => rule.id !== id));
    expect(await hasMistake(judge)).toBe(true);
  });

  async function hasMistake(judge: Judge): Promise<boolean> {
    const { ask } = offlineJudge(judge, catalogue);
    for (const row of rows) {
      const { accepted } = await ask(row);
      if (accepted !== (row.refused === undefined)) return true;
    }
    return false;
  }
});
