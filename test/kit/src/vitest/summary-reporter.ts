import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import type { Reporter, SerializedError, TestCase, TestModule, TestSuite, Vitest } from 'vitest/node';

import { RESULTS_FILE, type RunResults, type TestResult, tally, tallyLine } from '../results/run-results.ts';
import { tiersLine } from '../tiers/real-tier.ts';
import type { Tier } from '../tiers/tier.ts';
import type { ProvidedKit } from './provided.ts';

/**
 * Ends a run with two plain lines, the tiers it covered and `N passed, N failed`, and writes {@link RESULTS_FILE}. The
 * exit code is 0 exactly when that last line says `0 failed`.
 */
export default class SummaryReporter implements Reporter {
  private vitest: Vitest | undefined;
  private results: RunResults = { tests: [], otherErrors: 0 };
  private tiers: string | undefined;

  onInit(vitest: Vitest): void {
    this.vitest = vitest;
  }

  onTestRunStart(): void {
    if (this.vitest?.config.watch) return;
    // Vitest and its other reporters still print after the run; only the very end of the process is after all of them.
    process.removeListener('exit', this.conclude).once('exit', this.conclude);
  }

  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly SerializedError[]): void {
    const root = this.vitest?.config.root ?? process.cwd();
    const kit: ProvidedKit | undefined = this.vitest?.getProvidedContext().klutchKit;
    this.tiers = kit && tiersLine(kit.real);
    this.results = {
      tests: modules.flatMap((module) => [...module.children.allTests()].map((test) => resultOf(test, root))),
      otherErrors: unhandledErrors.length + modules.reduce((sum, module) => sum + errorsOutsideTests(module), 0),
    };
    const file = join(root, RESULTS_FILE);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, `${JSON.stringify(this.results, undefined, 1)}\n`);
    if (this.vitest?.config.watch) this.print();
  }

  private readonly conclude = (): void => {
    const exitCode = Number(process.exitCode ?? 0);
    // Something went wrong that no reporter was told about, for example a failing tear-down.
    if (exitCode !== 0 && tally(this.results).failed === 0) this.results = { ...this.results, otherErrors: 1 };
    if (exitCode === 0 && tally(this.results).failed > 0) process.exitCode = 1;
    this.print();
  };

  private print(): void {
    const counts = tally(this.results);
    const remark = counts.ran === 0 ? ['no test ran, which proves nothing'] : [];
    const lines = [...(this.tiers ? [this.tiers] : []), ...remark, tallyLine(counts)];
    process.stdout.write(`\n${lines.join('\n')}\n`);
  }
}

function resultOf(test: TestCase, root: string): TestResult {
  const { state } = test.result();
  const parents = parentsOf(test);
  return {
    title: test.name,
    suites: parents.map((suite) => suite.name),
    file: relative(root, test.module.moduleId),
    // A test that never came to its end proves nothing.
    state: state === 'pending' ? 'failed' : state,
    tier: tierOf(test, parents),
  };
}

function parentsOf(test: TestCase): TestSuite[] {
  const parents: TestSuite[] = [];
  for (let parent = test.parent; parent.type === 'suite'; parent = parent.parent) parents.unshift(parent);
  return parents;
}

function tierOf(test: TestCase, parents: readonly TestSuite[]): Tier {
  return test.meta().tier ?? parents.findLast((suite) => suite.meta().tier !== undefined)?.meta().tier ?? 'embedded';
}

function errorsOutsideTests(module: TestModule): number {
  const suites = [...module.children.allSuites()];
  return [module, ...suites].filter((task) => task.errors().length > 0).length;
}
