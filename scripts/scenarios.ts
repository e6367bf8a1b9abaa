/**
 * Lists which acceptance scenarios have a passing test in the last test run: `npm run scenarios [-- --json]`. Exits with 1
 * when a test names a scenario that does not exist, or when there is no last run.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

import { RESULTS_FILE, type RunResults } from '@klutch/kit';

import { coverageOf } from './scenarios/coverage.ts';
import { renderCoverage } from './scenarios/report.ts';
import { parseScenarios } from './scenarios/scenario-list.ts';

const PROJECT_ROOT = fileURLToPath(new URL('..', import.meta.url));

const { values: options } = parseArgs({
  options: {
    /** Prints the coverage as JSON. */
    json: { type: 'boolean', default: false },
    /** Reads the results of another run than the last. */
    results: { type: 'string', default: join(PROJECT_ROOT, RESULTS_FILE) },
  },
});

const scenarios = parseScenarios(await readFile(join(PROJECT_ROOT, 'test/scenarios.tsv'), 'utf8'));
const results = await readFile(options.results, 'utf8').catch(() => undefined);
if (results === undefined) {
  process.stderr.write('there are no test results yet: run the tests first (npm run test:suite)\n');
  process.exitCode = 1;
} else {
  const coverage = coverageOf(scenarios, JSON.parse(results) as RunResults);
  process.stdout.write(`${options.json ? JSON.stringify(coverage, undefined, 2) : renderCoverage(coverage)}\n`);
  if (coverage.unknown.length > 0) process.exitCode = 1;
}
