import type { TestResult } from '@klutch/kit';
import { describe, expect, it } from 'vitest';

import type { RequiredProof } from './proofs.ts';
import { shortfallsOf } from './shortfalls.ts';

const scenario = (id: string, component: string) => ({ id, component, text: 'Given this, then that.' });
const SCENARIOS = [scenario('KON-01', 'konnector'), scenario('PRV-01', 'provider')];

const test = (more: Partial<TestResult> = {}): TestResult => ({
  title: 'KON-01 works',
  suites: [],
  file: 'test/konnector/a.test.ts',
  state: 'passed',
  tier: 'embedded',
  ...more,
});
const onBoth = (more: Partial<TestResult> = {}) => [test(more), test({ ...more, tier: 'real' })];

const problems = (proof: Partial<RequiredProof>, tests: readonly TestResult[]) =>
  shortfallsOf(SCENARIOS, ['konnector'], [{ id: 'KON-01', tiers: 'both', proof: 'test', ...proof }], { tests }).map(
    ({ problem }) => problem,
  );

describe('a scenario of a finished component', () => {
  it.each<[string, Partial<RequiredProof>, readonly TestResult[], readonly string[]]>([
    ['tests on both tiers', {}, onBoth(), []],
    ['no test', {}, [test({ title: 'works', tier: 'real' })], ['has no passing test under test/ on embedded and real']],
    [
      'a test on one tier of two',
      {},
      [test(), test({ title: 'x', tier: 'real' })],
      ['has no passing test under test/ on real'],
    ],
    ['a test on one tier, the real one taking no part', {}, [test(), test({ tier: 'real', state: 'skipped' })], []],
    [
      'a test that fails',
      {},
      [...onBoth(), test({ state: 'failed' })],
      ['has no passing test under test/ on embedded'],
    ],
    [
      'unit tests only',
      {},
      onBoth({ file: 'packages/konnector/src/a.test.ts' }),
      ['has no passing test under test/ on embedded and real'],
    ],
    [
      'tests of the test kit only',
      {},
      onBoth({ file: 'test/kit/src/a.test.ts' }),
      ['has no passing test under test/ on embedded and real'],
    ],
    ['any tier', { tiers: 'any' }, [test()], []],
    ['the real tier', { tiers: 'real' }, [test({ tier: 'real' })], []],
    [
      'a test with a double where it must be end to end',
      { proof: 'end-to-end' },
      onBoth({ file: 'test/cli/bind.test.ts' }),
      ['has no passing end-to-end test on embedded and real'],
    ],
    ['an end-to-end test', { proof: 'end-to-end' }, onBoth({ file: 'test/bind/a.test.ts' }), []],
    [
      'a failing test elsewhere',
      { proof: 'end-to-end' },
      [...onBoth({ file: 'test/bind/a.test.ts' }), test({ state: 'failed' })],
      [],
    ],
  ])('with %s', (_, proof, tests, expected) => {
    expect(problems(proof, tests)).toEqual(expected);
  });

  it('needs a line that says what counts, and there is none for others', () => {
    const proofs = [{ id: 'PRV-01', tiers: 'both', proof: 'test' } as const];

    expect(shortfallsOf(SCENARIOS, ['konnector'], proofs, { tests: onBoth() })).toEqual([
      { id: 'PRV-01', problem: 'is no scenario of a finished component' },
      { id: 'KON-01', problem: 'has no line in test/scenario-proofs.tsv' },
    ]);
  });
});
