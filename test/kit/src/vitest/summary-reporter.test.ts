import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { RESULTS_FILE, type RunResults } from '../results/run-results.ts';

const PROJECT_ROOT = fileURLToPath(new URL('../../../../', import.meta.url));
const HERE = fileURLToPath(new URL('.', import.meta.url));

interface Run {
  readonly exitCode: number;
  readonly output: string;
  readonly lines: readonly string[];
}

describe('summary reporter', () => {
  let root: string;
  beforeEach(async () => {
    // Inside the project, so that the small suites below find vitest.
    await mkdir(join(PROJECT_ROOT, '.cache'), { recursive: true });
    root = await mkdtemp(join(PROJECT_ROOT, '.cache/reporter-test-'));
  });
  afterEach(() => rm(root, { recursive: true }));

  async function runVitest(files: Readonly<Record<string, string>>, env: NodeJS.ProcessEnv = {}): Promise<Run> {
    for (const [name, text] of Object.entries(files)) await writeFile(join(root, name), text);
    const config = {
      root,
      globalSetup: [join(HERE, 'global-setup.ts')],
      reporters: ['default', join(HERE, 'summary-reporter.ts')],
    };
    await writeFile(join(root, 'vitest.config.ts'), `export default ${JSON.stringify({ test: config })}`);
    const vitest = join(PROJECT_ROOT, 'node_modules/vitest/vitest.mjs');
    const child = spawn(process.execPath, [vitest, 'run', '--config', join(root, 'vitest.config.ts')], {
      cwd: root,
      env: { PATH: process.env.PATH, KLUTCH_TIERS: 'embedded', ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const [stdout, stderr] = await Promise.all([child.stdout.toArray(), child.stderr.toArray()]);
    if (child.exitCode === null) await once(child, 'exit');
    const output = Buffer.concat(stdout as Buffer[]).toString();
    return {
      exitCode: child.exitCode ?? -1,
      output: output + Buffer.concat(stderr as Buffer[]).toString(),
      lines: output.trimEnd().split('\n'),
    };
  }

  const results = async () => JSON.parse(await readFile(join(root, RESULTS_FILE), 'utf8')) as RunResults;

  it('ends a good run with the tiers and the counts, and keeps the results', async () => {
    const run = await runVitest({
      'good.test.ts': `
        import { describe, it } from 'vitest';
        it('stands alone', () => {});
        describe('outer', () => {
          describe('KON-01 inner', { meta: { tier: 'real' } }, () => {
            it('nested', () => {});
            describe('deeper', () => it('nested deeper', () => {}));
          });
          it.todo('later');
        });`,
    });
    expect(run.lines.slice(-2)).toEqual([
      'tiers covered: embedded; real not run: KLUTCH_TIERS does not name it',
      '3 passed, 0 failed, 1 skipped',
    ]);
    expect(run.lines.filter((line) => line.startsWith('tiers covered'))).toHaveLength(2);
    expect(run.exitCode).toBe(0);
    const file = 'good.test.ts';
    expect((await results()).tests).toEqual([
      { title: 'stands alone', suites: [], file, state: 'passed', tier: 'embedded' },
      { title: 'nested', suites: ['outer', 'KON-01 inner'], file, state: 'passed', tier: 'real' },
      { title: 'nested deeper', suites: ['outer', 'KON-01 inner', 'deeper'], file, state: 'passed', tier: 'real' },
      { title: 'later', suites: ['outer'], file, state: 'skipped', tier: 'embedded' },
    ]);
  });

  it('reports what needs the real tier as skipped when that does not take part', async () => {
    const run = await runVitest({
      'tiers.test.ts': `
        import { it } from 'vitest';
        import { describeReal } from '@klutch/kit/vitest';
        it('needs nothing', () => {});
        describeReal('a cluster', () => it('needs Kubernetes', () => { throw new Error('must not run'); }));`,
    });
    expect(run.lines.at(-1)).toBe('1 passed, 0 failed, 1 skipped');
    expect((await results()).tests.map(({ title, state, tier }) => ({ title, state, tier }))).toEqual([
      { title: 'needs nothing', state: 'passed', tier: 'embedded' },
      { title: 'needs Kubernetes', state: 'skipped', tier: 'real' },
    ]);
  });

  it('counts failing tests, failing hooks and files that cannot be loaded', async () => {
    const run = await runVitest({
      'mixed.test.ts': `
        import { expect, it } from 'vitest';
        it('passes', () => {});
        it('fails', () => expect(1).toBe(2));`,
      'hook.test.ts': `
        import { beforeAll, describe, it } from 'vitest';
        describe('suite', () => {
          beforeAll(() => { throw new Error('no database'); });
          it('never runs', () => {});
        });`,
      'broken.test.ts': `import './missing.ts';`,
    });
    expect(run.lines.at(-1)).toBe('1 passed, 3 failed, 1 skipped');
    expect(run.exitCode).toBe(1);
  });

  it('does not overlook errors that no test caught', async () => {
    const run = await runVitest({
      'loose.test.ts': `
        import { it } from 'vitest';
        it('passes', async () => {
          void Promise.reject(new Error('nobody listens'));
          await new Promise((resolve) => setImmediate(resolve));
        });`,
    });
    expect(run.lines.at(-1)).toBe('1 passed, 1 failed');
    expect(run.exitCode).toBe(1);
  });

  it('does not take a run without tests for a success', async () => {
    const run = await runVitest({});
    expect(run.lines.slice(-2)).toEqual(['no test ran, which proves nothing', '0 passed, 1 failed']);
    expect(run.exitCode).toBe(1);
  });

  it('does not take a run in which everything was skipped for a success', async () => {
    const run = await runVitest({ 'all.test.ts': `import { it } from 'vitest'; it.todo('later');` });
    expect(run.lines.at(-1)).toBe('0 passed, 1 failed, 1 skipped');
    expect(run.exitCode).toBe(1);
  });

  it('ends with the reason when a required tier is missing, without a stack trace', async () => {
    const run = await runVitest(
      { 'good.test.ts': `import { it } from 'vitest'; it('passes', () => {});` },
      { KLUTCH_TIERS: 'embedded,real', KUBEBUILDER_ASSETS: '/nowhere' },
    );
    expect(run.lines).toContain(
      'KLUTCH_TIERS requires the real tier: KUBEBUILDER_ASSETS is set, but /nowhere/etcd is not a program',
    );
    expect(run.lines.at(-1)).toBe('0 passed, 1 failed');
    expect(run.output).not.toContain('global-setup.ts:');
    expect(run.exitCode).toBe(1);
  });
});
