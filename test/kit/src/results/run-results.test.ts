import { describe, expect, it } from 'vitest';

import { type TestResult, tally, tallyLine } from './run-results.ts';

const test = (state: TestResult['state']): TestResult => ({
  title: 'works',
  suites: [],
  file: 'works.test.ts',
  state,
  tier: 'embedded',
});

describe('tally', () => {
  it('counts tests by state', () => {
    const tests = [test('passed'), test('failed'), test('passed'), test('skipped')];
    expect(tally({ tests, otherErrors: 0 })).toEqual({ ran: 3, passed: 2, failed: 1, skipped: 1 });
  });

  it('counts errors outside of tests as failures', () => {
    expect(tally({ tests: [test('passed')], otherErrors: 2 })).toMatchObject({ passed: 1, failed: 2 });
  });

  it.each([
    { what: 'no test at all', tests: [], otherErrors: 0, failed: 1 },
    { what: 'nothing but skipped tests', tests: [test('skipped')], otherErrors: 0, failed: 1 },
    { what: 'nothing but errors', tests: [], otherErrors: 2, failed: 2 },
  ])('does not take $what for success', ({ tests, otherErrors, failed }) => {
    expect(tally({ tests, otherErrors })).toMatchObject({ passed: 0, failed });
  });
});

describe('tally line', () => {
  it('speaks of skipped tests only when there are some', () => {
    expect(tallyLine({ passed: 12, failed: 0, skipped: 0 })).toBe('12 passed, 0 failed');
    expect(tallyLine({ passed: 12, failed: 1, skipped: 3 })).toBe('12 passed, 1 failed, 3 skipped');
  });
});
