import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { packageVersion } from './package-version.ts';
import { klutch, runKlutch, scratchFolder } from './testing/run-klutch.ts';

describe('klutch', () => {
  it('lists its commands on request', async () => {
    const { code, out, err } = await klutch('--help');

    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toMatch(/^Usage: klutch /);
    expect(out).toMatch(/^ {2}apiserver /m);
  });

  it.each([[], ['apiserver'], ['bind'], ['konnector']])(
    'loads nothing of a command to explain it: %j',
    async (...command) => {
      const coverage = await scratchFolder();
      await runKlutch([...command, '--help'], { NODE_V8_COVERAGE: coverage }).ended();

      const reports = await Promise.all(
        (await readdir(coverage)).map((name) => readFile(join(coverage, name), 'utf8')),
      );

      expect(reports.join('')).toContain('/packages/cli/src/main.ts');
      expect(reports.join('')).not.toMatch(/\/packages\/(?!cli\/)|\/node_modules\/(?:pino|prom-client)\//);
    },
  );

  it.each([['version'], ['--version'], ['bind', '--version']])('prints its version: %s %s', async (...args) => {
    expect(await klutch(...args)).toEqual({ code: 0, out: `klutch ${await packageVersion()}\n`, err: '' });
  });

  it('sorts above the last release of Go Klutch', async () => {
    expect(Number.parseInt(await packageVersion(), 10)).toBeGreaterThanOrEqual(2);
  });

  it.each(['10m', '1m30s', '600', '90s'])('takes times of all forms where it waits: %s', async (time) => {
    const { code, err } = await klutch('unbind', 'x.example.org', '--wait-timeout', time, '--kubeconfig', '/nowhere');

    expect({ code, err }).toMatchObject({ code: 2, err: expect.stringContaining('/nowhere') });
  });

  it.each([
    [['apisever'], "Error: Unknown command 'apisever'\n(Did you mean apiserver?)\n"],
    [['apiserver', '--prot', '1'], "Error: Unknown option '--prot'\n(Did you mean --port?)\n"],
    [['apiserver', '--port', '70000'], 'A port is a number from 0 to 65535; 0 takes any that is free.\n'],
    [['apiserver', '--port', '-1'], 'A port is a number from 0 to 65535; 0 takes any that is free.\n'],
    [['apiserver', 'extra'], 'Error: Too many arguments'],
    [[], 'Usage: klutch '],
    [['bind'], 'Usage: klutch bind [options] <url>'],
  ])('says what is wrong with %j', async (args, text) => {
    const { code, out, err } = await klutch(...args);

    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toContain(text);
    expect(err).toMatch(/Usage: |Try `klutch --help`\.\n$/);
  });
});
