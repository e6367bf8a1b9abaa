import { randomInt } from 'node:crypto';
import { judgeOf, refusals, type Rule, rulesOf } from '@klutch/catalog';
import { describeReal } from '@klutch/kit/vitest';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { inParallel } from '../conformance/fuzz/both-servers.ts';
import { targets } from '../conformance/targets.ts';
import { defaultCatalogue, offersOf } from './default-catalogue.ts';
import { changed, plausible } from './generated-claims/specs.ts';
import { type ClaimJudge, offlineJudge, type Question, serverJudge } from './judges.ts';

const seed = Number(process.env['KLUTCH_SEED'] ?? randomInt(2 ** 31));
const creates = 2500;
const updates = 2500;
/** Claims of each kind that are stored, to be changed. */
const storedOfKind = 20;

describeReal('5,000 generated claims and changes', () => {
  let judges: readonly ClaimJudge[];
  let questions: readonly Question[];
  let rules: ReadonlyMap<string, readonly Rule[]>;

  beforeAll(async () => {
    const catalogue = await defaultCatalogue('generated.klutch.test');
    const offline = offlineJudge(judgeOf(catalogue), catalogue);
    const servers = await Promise.all(
      targets().map(async (target) => serverJudge(await target.start(), catalogue, 'catalogue-generated')),
    );
    judges = [offline, ...servers];
    questions = await generate(catalogue, offline);
    rules = new Map(offersOf(catalogue).map((offer) => [offer.kind, rulesOf(offer, catalogue)]));
  });
  afterAll(() => Promise.all((judges ?? []).map((judge) => judge.close())));

  it('are judged alike, in the same words, by kube-apiserver, the embedded server and the catalogue alone', async () => {
    console.log(`KLUTCH_SEED=${seed} judges these claims again`);
    const verdicts = await inParallel(questions, 16, (question) =>
      Promise.all(judges.map((judge) => judge.ask(question))),
    );
    const disagreements = questions
      .map((question, at) => ({ question, verdicts: verdicts[at] ?? [] }))
      .filter(({ verdicts: given }) => new Set(given.map(({ accepted }) => accepted)).size !== 1);
    expect(disagreements.slice(0, 5), `KLUTCH_SEED=${seed}`).toEqual([]);

    const unsaid = questions.flatMap((question, at) =>
      (verdicts[at] ?? []).filter(({ said }) => !saysAll(said, question)).map(({ said }) => ({ question, said })),
    );
    expect(unsaid.slice(0, 5), `KLUTCH_SEED=${seed}`).toEqual([]);

    const accepted = verdicts.filter(([verdict]) => verdict?.accepted).length;
    console.log(`${accepted} of ${questions.length} are accepted`);
    expect(questions.length).toBe(creates + updates);
    expect(accepted / questions.length).toBeGreaterThanOrEqual(0.4);
    expect(accepted / questions.length).toBeLessThanOrEqual(0.6);
  }, 180_000);

  /** Whether a refusal has the sentences of all rules that are broken. Servers do not ask rules about what they cannot read. */
  function saysAll(said: string, { kind, spec, before }: Question): boolean {
    if (/strict decoding error|rules were not checked/.test(said)) return true;
    const broken = refusals(rules.get(kind) ?? [], spec, before);
    return broken.every(({ message }) => said.includes(message));
  }
});

/** New claims, and changes of claims that are accepted. */
async function generate(catalogue: Awaited<ReturnType<typeof defaultCatalogue>>, judge: ClaimJudge) {
  const offers = offersOf(catalogue);
  const share = (total: number, at: number) =>
    Math.floor((total * (at + 1)) / offers.length) - Math.floor((total * at) / offers.length);
  const questions: Question[] = [];
  for (const [at, offer] of offers.entries()) {
    const { kind } = offer;
    const drawn = (count: number, arbitrary: fc.Arbitrary<Question>) =>
      distinct(fc.sample(arbitrary, { numRuns: count * 4, seed: seed + at })).slice(0, count);
    const base = plausible(offer);
    const create = base.chain((spec) => changed(spec, offer, catalogue)).map((spec): Question => ({ kind, spec }));
    questions.push(...drawn(share(creates, at), create));

    const candidates = drawn(
      storedOfKind * 4,
      base.map((spec) => ({ kind, spec })),
    );
    const valid = await Promise.all(candidates.map(async (one) => ((await judge.ask(one)).accepted ? [one.spec] : [])));
    const stored = valid.flat().slice(0, storedOfKind);
    const update = fc
      .constantFrom(...stored)
      .chain((before) => changed(before, offer, catalogue).map((spec): Question => ({ kind, spec, before })));
    questions.push(...drawn(share(updates, at), update));
  }
  return questions;
}

function distinct(questions: readonly Question[]): readonly Question[] {
  return [...new Map(questions.map((question) => [JSON.stringify(question), question])).values()];
}
