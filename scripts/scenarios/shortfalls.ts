import type { RunResults, TestResult, Tier } from '@klutch/kit';

import { counts, type RequiredProof } from './proofs.ts';
import type { Scenario } from './scenario-list.ts';
import { idsOfTitle } from './title-ids.ts';

/** A scenario of a finished component that a run does not show as it must. */
export interface Shortfall {
  readonly id: string;
  readonly problem: string;
}

/**
 * What a run lacks of the proofs that finished components need. A run without the real tier is measured by the embedded one
 * alone: whether the real tier is required is decided where it is started.
 */
export function shortfallsOf(
  scenarios: readonly Scenario[],
  finished: readonly string[],
  proofs: readonly RequiredProof[],
  { tests }: Pick<RunResults, 'tests'>,
): readonly Shortfall[] {
  const own = scenarios.filter(({ component }) => finished.includes(component)).map(({ id }) => id);
  const byId = testsById(new Set(scenarios.map(({ id }) => id)), tests);
  const hasReal = tests.some(({ tier, state }) => tier === 'real' && state !== 'skipped');
  const required = new Map(proofs.map((proof) => [proof.id, proof]));
  return [
    ...proofs
      .filter(({ id }) => !own.includes(id))
      .map(({ id }) => ({ id, problem: 'is no scenario of a finished component' })),
    ...own.flatMap((id) => {
      const proof = required.get(id);
      const problem = proof ? problemOf(proof, byId.get(id) ?? [], hasReal) : 'has no line in test/scenario-proofs.tsv';
      return problem === undefined ? [] : [{ id, problem }];
    }),
  ];
}

function problemOf(
  { tiers, proof }: RequiredProof,
  tests: readonly TestResult[],
  hasReal: boolean,
): string | undefined {
  const counted = tests.filter(({ file }) => counts(proof, file));
  const isShownOn = (tier: Tier) => {
    const states = counted.filter((test) => test.tier === tier).map(({ state }) => state);
    return states.includes('passed') && !states.includes('failed');
  };
  const kind = proof === 'end-to-end' ? 'end-to-end test' : 'test under test/';
  if (tiers === 'any') return isShownOn('embedded') || isShownOn('real') ? undefined : `has no passing ${kind}`;
  const needed: readonly Tier[] = tiers === 'both' ? ['embedded', 'real'] : ['real'];
  const missing = needed.filter((tier) => (tier === 'embedded' || hasReal) && !isShownOn(tier));
  return missing.length === 0 ? undefined : `has no passing ${kind} on ${missing.join(' and ')}`;
}

function testsById(ids: ReadonlySet<string>, tests: readonly TestResult[]): ReadonlyMap<string, TestResult[]> {
  const byId = new Map<string, TestResult[]>();
  for (const test of tests) {
    const titles = [test.suites.at(-1) ?? '', test.title];
    for (const id of new Set(titles.flatMap((title) => idsOfTitle(title, ids).known))) {
      byId.set(id, [...(byId.get(id) ?? []), test]);
    }
  }
  return byId;
}
