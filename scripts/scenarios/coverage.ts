import type { RunResults, TestResult, Tier } from '@klutch/kit';

import type { Scenario } from './scenario-list.ts';
import { idsOfTitle } from './title-ids.ts';

/** What the last run says about one component. */
export interface ComponentCoverage {
  readonly component: string;
  /** How many scenarios there are. */
  readonly scenarios: number;
  /** Ids with at least one passing test and no failing one, by tier, in the order of the list. */
  readonly passing: Readonly<Record<Tier, readonly string[]>>;
  /** Ids with a failing test, by tier. */
  readonly failing: Readonly<Record<Tier, readonly string[]>>;
}

/** An id in a title that no scenario has. */
interface UnknownId {
  readonly id: string;
  readonly title: string;
  readonly file: string;
}

/** What the last run says about all scenarios. */
export interface Coverage {
  readonly components: readonly ComponentCoverage[];
  readonly unknown: readonly UnknownId[];
}

/** Matches tests with scenarios. A test speaks for the ids its own title or that of its nearest suite starts with. */
export function coverageOf(scenarios: readonly Scenario[], { tests }: Pick<RunResults, 'tests'>): Coverage {
  const ids = new Set(scenarios.map(({ id }) => id));
  const unknown: UnknownId[] = [];
  const states = new Map<string, Set<TestResult['state']>>();
  for (const test of tests) {
    const found = [test.suites.at(-1) ?? '', test.title].map((title) => ({ title, ...idsOfTitle(title, ids) }));
    for (const { title, unknown: strangers } of found) {
      unknown.push(...strangers.map((id) => ({ id, title, file: test.file })));
    }
    for (const id of found.flatMap(({ known }) => known)) {
      const key = stateKey(id, test.tier);
      states.set(key, (states.get(key) ?? new Set()).add(test.state));
    }
  }

  const hasState = (id: string, tier: Tier, state: TestResult['state']) => states.get(stateKey(id, tier))?.has(state);
  const components = [...new Set(scenarios.map(({ component }) => component))].map((component) => {
    const own = scenarios.filter((scenario) => scenario.component === component).map(({ id }) => id);
    const failing = byTier((tier) => own.filter((id) => hasState(id, tier, 'failed')));
    const passing = byTier((tier) => own.filter((id) => hasState(id, tier, 'passed') && !hasState(id, tier, 'failed')));
    return { component, scenarios: own.length, passing, failing };
  });
  return { components, unknown: withoutRepeats(unknown) };
}

function stateKey(id: string, tier: Tier): string {
  return `${id} ${tier}`;
}

function byTier<T>(value: (tier: Tier) => T): Record<Tier, T> {
  return { embedded: value('embedded'), real: value('real') };
}

function withoutRepeats(unknown: readonly UnknownId[]): UnknownId[] {
  return [...new Map(unknown.map((entry) => [JSON.stringify(entry), entry])).values()];
}
