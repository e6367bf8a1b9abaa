/**
 * Lists which acceptance scenarios have a passing test in the last test run: `npm run scenarios [-- --json]`. Exits with 1
 * when a scenario of a finished component is not covered as `test/scenario-proofs.tsv` demands, when a test names a scenario
 * that does not exist, or when there is no last run.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

import { RESULTS_FILE, type RunResults, tally, tallyLine } from '@klutch/kit';

import { coverageOf } from './scenarios/coverage.ts';
import { renderCoverage, shortfallLine, unknownLine } from './scenarios/report.ts';
import { finishedComponents, parseProofs } from './scenarios/proofs.ts';
import { parseScenarios } from './scenarios/scenario-list.ts';
import { shortfallsOf } from './scenarios/shortfalls.ts';

const PROJECT_ROOT = fileURLToPath(new URL('..', import.meta.url));

const { values: options } = parseArgs({
  options: {
    /** Prints the coverage as JSON. */
    json: { type: 'boolean', default: false },
    /** Prints nothing but what is wrong, and ends as the tests do: `N passed, N failed`. */
    verdict: { type: 'boolean', default: false },
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
  const run = JSON.parse(results) as RunResults;
  const proofs = parseProofs(await readFile(join(PROJECT_ROOT, 'test/scenario-proofs.tsv'), 'utf8'));
  const coverage = coverageOf(scenarios, run);
  const shortfalls = shortfallsOf(scenarios, finishedComponents, proofs, run);
  const wrong = [...shortfalls.map(shortfallLine), ...coverage.unknown.map(unknownLine)];
  const { passed, failed, skipped } = tally(run);
  const lines = options.verdict
    ? [...wrong, tallyLine({ passed, failed: failed + wrong.length, skipped })]
    : [options.json ? JSON.stringify({ ...coverage, shortfalls }, undefined, 2) : renderCoverage(coverage, shortfalls)];
  process.stdout.write(`${lines.join('\n')}\n`);
  if (wrong.length > 0) process.exitCode = 1;
}
