import type { Tier } from '../tiers/tier.ts';

/** Where a test run leaves its results, relative to the project's root. */
export const RESULTS_FILE = '.cache/test-results.json';

/** How one test ended. */
export interface TestResult {
  readonly title: string;
  /** Titles of the enclosing suites, the outermost first. */
  readonly suites: readonly string[];
  /** Relative to the project's root. */
  readonly file: string;
  readonly state: 'passed' | 'failed' | 'skipped';
  readonly tier: Tier;
}

/** All a run has to tell. */
export interface RunResults {
  readonly tests: readonly TestResult[];
  /** Errors that belong to no single test: a file that cannot be loaded, a failing hook, an unhandled rejection. */
  readonly otherErrors: number;
}

/** The verdict on a run. */
export interface Tally {
  /** How many tests came to a verdict of their own. */
  readonly ran: number;
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

/** Counts. A run in which no test ran at all has proved nothing and counts as one failure. */
export function tally({ tests, otherErrors }: RunResults): Tally {
  const count = (state: TestResult['state']) => tests.filter((test) => test.state === state).length;
  const passed = count('passed');
  const ran = passed + count('failed');
  const failed = ran - passed + otherErrors;
  return { ran, passed, failed: ran === 0 ? Math.max(failed, 1) : failed, skipped: count('skipped') };
}

/** The last line of a run. */
export function tallyLine({ passed, failed, skipped }: Omit<Tally, 'ran'>): string {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
}
