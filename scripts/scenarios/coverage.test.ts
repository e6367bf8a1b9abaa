import type { TestResult } from '@klutch/kit';
import { describe, expect, it } from 'vitest';

import { coverageOf } from './coverage.ts';
import type { Scenario } from './scenario-list.ts';

const scenario = (id: string, component: string): Scenario => ({ id, component, text: 'Given this, then that.' });
const SCENARIOS = [scenario('KON-01', 'konnector'), scenario('KON-02', 'konnector'), scenario('BE-01', 'backend')];

const test = (title: string, more: Partial<TestResult> = {}): TestResult => ({
  title,
  suites: [],
  file: 'some.test.ts',
  state: 'passed',
  tier: 'embedded',
  ...more,
});

const konnector = (...tests: TestResult[]) => coverageOf(SCENARIOS, { tests }).components[0];

describe('coverage', () => {
  it('lists every component with its number of scenarios, covered or not', () => {
    const { components } = coverageOf(SCENARIOS, { tests: [] });
    const nothing = { embedded: [], real: [] };
    expect(components).toEqual([
      { component: 'konnector', scenarios: 2, passing: nothing, failing: nothing },
      { component: 'backend', scenarios: 1, passing: nothing, failing: nothing },
    ]);
  });

  it('counts a passing test for all ids it names, on the tier it ran on', () => {
    const covered = konnector(test('KON-02 KON-01 works'), test('KON-02 works', { tier: 'real' }));
    expect(covered?.passing).toEqual({ embedded: ['KON-01', 'KON-02'], real: ['KON-02'] });
  });

  it('counts a test for the id of its nearest suite, not of one further out', () => {
    const covered = konnector(
      test('works', { suites: ['outer', 'KON-01 inner'] }),
      test('works', { suites: ['KON-02 outer', 'inner'] }),
    );
    expect(covered?.passing.embedded).toEqual(['KON-01']);
  });

  it('does not count a skipped test', () => {
    expect(konnector(test('KON-01 works', { state: 'skipped' }))?.passing.embedded).toEqual([]);
  });

  it('does not count a scenario as long as one of its tests fails on that tier', () => {
    const covered = konnector(
      test('KON-01 works'),
      test('KON-01 works elsewhere', { state: 'failed' }),
      test('KON-01 works', { tier: 'real' }),
    );
    expect(covered?.passing).toEqual({ embedded: [], real: ['KON-01'] });
    expect(covered?.failing).toEqual({ embedded: ['KON-01'], real: [] });
  });

  it('reports an unknown id once, even when its test was skipped', () => {
    const inSuite = { suites: ['KON-99 suite'], file: 'a.test.ts', state: 'skipped' } as const;
    const { unknown } = coverageOf(SCENARIOS, { tests: [test('one', inSuite), test('two', inSuite)] });
    expect(unknown).toEqual([{ id: 'KON-99', title: 'KON-99 suite', file: 'a.test.ts' }]);
  });
});
