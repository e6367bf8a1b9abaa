import { definitionOf, judgeOf, limitProblems, type Service } from '@klutch/catalog';
import { CostLedger, type JsonSchema, RulePlace, ruleProblems } from '@klutch/cel';
import { eventually } from '@klutch/kit';
import { crdsOf } from '@klutch/xrd';
import { describe, expect, it } from 'vitest';
import { targets } from '../conformance/targets.ts';
import { type Question, offlineJudge, serverJudge } from './judges.ts';
import { largeCatalogue } from './large-kind.ts';

const group = 'large.klutch.test';
const spec = { service: 'large-version-1', plan: 'large-service-with-many-traits-plan-number-0-of-all-plans' };
const kind = 'LargeInstance';
const earlier = largeCatalogue(group);
const current = largeCatalogue(group, ['west']);

/** Parameters that the default backend took once; two have names that CEL knows by others. */
const stored = ['namespace', 'tls-ciphers', 'parameter1'].map((name) => ({ ...spec, parameters: { [name]: 'x' } }));
const questions: readonly (Question & { readonly accepted: boolean })[] = [
  { kind, spec, accepted: true },
  ...stored.flatMap((before) => [
    { kind, spec: before, accepted: false },
    { kind, before, spec: { ...before, compositionRef: { name: 'east-large' } }, accepted: true },
    { kind, before, spec, accepted: !Object.hasOwn(before.parameters, 'namespace') },
  ]),
];

describe('a kind with 20 plans of twelve traits and 60 parameters', () => {
  it('is far from what its rules may cost', () => {
    const problems = limitProblems(current);
    const costs = ruleCosts(current.services[0] as Service);
    const total = costs.reduce((sum, cost) => sum + cost, 0);
    console.log(
      `${costs.length} rules cost ${total} of 100000000, the most expensive ${Math.max(...costs)} of 10000000`,
    );
    expect(problems).toEqual([]);
    expect(Math.max(...costs)).toBeLessThan(1_000_000);
    expect(total).toBeLessThan(10_000_000);
  });

  it('is judged without a cluster', async () => {
    const judge = offlineJudge(judgeOf(current), current);
    for (const { accepted, ...question } of questions) expect(await judge.ask(question)).toMatchObject({ accepted });
  });

  for (const target of targets()) {
    const missing = target.missing === undefined ? '' : ` (${target.missing})`;
    it.skipIf(target.missing !== undefined)(
      `is served, and judged alike, by ${target.name}${missing}`,
      { meta: { tier: target.tier } },
      async () => {
        const judge = await serverJudge(await target.start(), earlier, 'catalogue-large');
        for (const before of stored) await judge.store(kind, before);
        await judge.use(current);
        // A server goes on with the rules that it knows for a moment after a CRD has changed.
        const isRefused = async () => !(await judge.ask({ kind, spec: stored[0] ?? {} })).accepted;
        await eventually(isRefused, { what: 'the current rules are in force' });
        for (const { accepted, ...question } of questions)
          expect(await judge.ask(question), JSON.stringify(question)).toMatchObject({ accepted });
        await judge.close();
      },
    );
  }
});

function ruleCosts(service: Service): readonly number[] {
  const schema: JsonSchema =
    crdsOf(definitionOf(service, current)).claim?.spec.versions[0]?.schema?.openAPIV3Schema ?? {};
  const costs: number[] = [];
  const ledger = new (class extends CostLedger {
    override note(path: string, cost: number, what: string) {
      costs.push(cost);
      return super.note(path, cost, what);
    }
  })(true);
  const place = RulePlace.ofRoot(schema, '').property('spec', schema.properties?.['spec'] ?? {});
  expect(ruleProblems(place, ledger)).toEqual([]);
  return costs;
}
