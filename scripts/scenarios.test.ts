import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseProofs } from './scenarios/proofs.ts';

const PROJECT_ROOT = fileURLToPath(new URL('..', import.meta.url));

interface Outcome {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

describe('npm run scenarios', () => {
  let dir: string;
  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), 'scenarios-'));
  });
  afterAll(() => rm(dir, { recursive: true }));

  function run(...args: string[]): Promise<Outcome> {
    const node = ['--import', 'tsx', '--conditions', 'klutch-source', 'scripts/scenarios.ts', ...args];
    return new Promise((resolve) => {
      execFile(process.execPath, node, { cwd: PROJECT_ROOT }, (error, stdout, stderr) =>
        resolve({ exitCode: Number(error?.code ?? 0), stdout, stderr }),
      );
    });
  }

  async function resultsOf(...titles: string[]): Promise<string> {
    const tests = titles.map((title) => ({ title, suites: [], file: 'a.test.ts', state: 'passed', tier: 'embedded' }));
    const file = join(dir, `${titles.length}.json`);
    await writeFile(file, JSON.stringify({ tests, otherErrors: 0 }));
    return file;
  }

  it('prints a table, and fails when a finished component has a scenario that is not covered', async () => {
    const { exitCode, stdout } = await run('--results', await resultsOf('KON-01 installs the CRD'));
    expect(stdout).toMatch(/^konnector +68 +1 +0$/m);
    expect(stdout).toContain('passing, konnector on embedded: KON-01');
    expect(stdout).toContain('\nnot covered: KON-01 has no passing test under test/ on embedded\n');
    expect(stdout).not.toContain('not covered: PRV-01');
    expect(exitCode).toBe(1);
  });

  it('succeeds when all scenarios of finished components are covered, and ends as the tests do', async () => {
    const proofs = parseProofs(await readFile(join(PROJECT_ROOT, 'test/scenario-proofs.tsv'), 'utf8'));
    const tests = proofs.flatMap(({ id }) =>
      ['embedded', 'real'].map((tier) => ({
        title: id,
        suites: [],
        file: 'test/bind/a.test.ts',
        state: 'passed',
        tier,
      })),
    );
    const file = join(dir, 'all.json');
    await writeFile(file, JSON.stringify({ tests, otherErrors: 0 }));
    expect(await run('--verdict', '--results', file)).toEqual({
      exitCode: 0,
      stdout: `${tests.length} passed, 0 failed\n`,
      stderr: '',
    });

    const lines = (await run('--verdict', '--results', await resultsOf('KON-01 works'))).stdout.trimEnd().split('\n');
    expect(lines.at(-1)).toBe(`1 passed, ${lines.length - 1} failed`);
    expect(lines.length).toBe(proofs.length + 1);
  });

  it('prints JSON when asked, and fails when an id is unknown', async () => {
    const { exitCode, stdout } = await run('--json', '--results', await resultsOf('KON-01 works', 'KON-00 works'));
    expect(JSON.parse(stdout).unknown).toEqual([{ id: 'KON-00', title: 'KON-00 works', file: 'a.test.ts' }]);
    expect(exitCode).toBe(1);
  });

  it('says what to do when there is no run to report on', async () => {
    const { exitCode, stderr } = await run('--results', join(dir, 'missing.json'));
    expect(stderr).toBe('there are no test results yet: run the tests first (npm run test:suite)\n');
    expect(exitCode).toBe(1);
  });
});
