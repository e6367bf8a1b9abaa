import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { APIServiceBindings, appCluster as names } from '@klutch/api';
import { eventually } from '@klutch/kube/testing';
import { expect, it } from 'vitest';
import { runKlutch, runNode, scratchFolder } from '../../packages/cli/src/testing/run-klutch.ts';
import { sampleApi } from '../konnector/world.ts';
import { appKubeconfig, onBindStage, openProvider, scratchFile } from './bind-stage.ts';
import { requestFor } from './scripted-provider.ts';

const plugin = fileURLToPath(new URL('../../packages/cli/bin/kubectl-bind.js', import.meta.url));
const completer = fileURLToPath(new URL('../../packages/cli/bin/kubectl_complete-bind.js', import.meta.url));
const authorize = /http:\/\/\S+\/authorize\?\S+/;
const soon = { withinMs: 60_000, everyMs: 20 };

/** A folder for PATH with programs that note what they were called with in place of opening it. */
async function desktop(): Promise<{ readonly path: string; opened(): Promise<string> }> {
  const folder = await scratchFolder();
  const file = join(folder, 'opened');
  for (const name of ['xdg-open', 'open', 'rundll32']) {
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, name), `#!/bin/sh\necho "$@" >> '${file}'\n`);
    await chmod(join(folder, name), 0o755);
  }
  const opened = async () => (await readFile(file, 'utf8').catch(() => '')).trim();
  return { path: `${folder}:${process.env['PATH'] ?? ''}`, opened };
}

onBindStage('the process of klutch bind', (stage) => {
  it('CLI-06 opens the browser of a desktop, and only prints the address elsewhere', async () => {
    const provider = await openProvider(stage(), { api: sampleApi() });
    const { path, opened } = await desktop();
    const environment = {
      PATH: path,
      DISPLAY: ':7',
      SSH_CONNECTION: '',
      SSH_TTY: '',
      BROWSER: '',
      KUBECONFIG: await appKubeconfig(stage()),
    };
    const args = ['bind', provider.url, '--dry-run', '--login-timeout', '60s'];

    for (const [more, changes] of [
      [['--no-browser'], {}],
      [[], { DISPLAY: '', WAYLAND_DISPLAY: '' }],
      [[], { SSH_CONNECTION: 'x' }],
    ] as const) {
      const run = runKlutch([...args, ...more], { ...environment, ...changes });
      await run.says('Waiting for the login');
      run.process.kill('SIGINT');
      expect(await run.ended()).toBe(7);
      expect(run.err()).toMatch(authorize);
    }
    expect(await opened()).toBe('');
    const run = runKlutch(args, environment);
    await run.says('Waiting for the login');

    const url = authorize.exec(run.err())?.[0] ?? '';
    expect(await eventually(async () => (await opened()) || undefined, soon)).toBe(url);
    expect((await provider.visit(url)).status).toBe(200);
    expect(await run.ended()).toBe(0);
  });

  it('CLI-21 CLI-22 reads manifests and answers from a pipe, as kubectl bind', async () => {
    const claims = [
      { resource: 'secrets', version: 'v1', selector: { owner: 'Provider' } },
      { resource: 'configmaps', version: 'v1', selector: { owner: 'Consumer' } },
    ] as const;
    const api = sampleApi();
    const provider = await openProvider(stage(), { api, claims });
    const manifest = JSON.stringify(requestFor({ api, claims }));
    const remote = await scratchFile('remote', await provider.tenant.kubeconfig());
    const pipe = async (text: string, ...args: readonly string[]) => {
      const all = [plugin, 'apiservice', '--remote-kubeconfig', remote, ...args];
      const env = { ...process.env, NODE_OPTIONS: '', KLUTCH_SOURCE: '1', KUBECONFIG: await appKubeconfig(stage()) };
      const child = spawn(process.execPath, all, { env, stdio: ['pipe', 'ignore', 'pipe'] });
      let err = '';
      child.stderr.setEncoding('utf8').on('data', (part: string) => void (err += part));
      child.stdin.end(text);
      const [code] = (await once(child, 'close')) as [number];
      return { code, err };
    };

    const nobody = await pipe(manifest, '-f', '-');
    const answered = await pipe('y\nn\n', '-f', await scratchFile('request.json', manifest));

    expect(nobody.code, nobody.err).toBe(2);
    expect(nobody.err).toMatch(/Decide with --accept-claims/);
    expect(answered.code, answered.err).toBe(0);
    const binding = await stage()
      .app.admin.resource(APIServiceBindings)
      .get({ namespace: names.namespace, name: api.name });
    expect(binding.spec?.permissionClaims?.map(({ state }) => state)).toEqual(['Accepted', 'Rejected']);
  });

  it('shows how it is used to users of kubectl who give no address, in their words', async () => {
    const run = runNode([plugin], { KLUTCH_SOURCE: '1' });

    expect(await run.ended()).toBe(2);
    expect(run.out()).toBe('');
    expect(run.err()).toMatch(/^Usage: kubectl bind /);
  });

  it.each([
    [['--non'], '--non-interactive\n:4\n'],
    [['-o', 'j'], 'json\n:4\n'],
    [['apiservice', '--file', ''], ':0\n'],
    [['ap'], 'apiservice\n:4\n'],
  ])('completes for kubectl: %j', async (words, completions) => {
    const run = runNode([completer, ...words], { KLUTCH_SOURCE: '1' });

    expect({ code: await run.ended(), out: run.out(), err: run.err() }).toEqual({ code: 0, out: completions, err: '' });
  });

  it('speaks of kubectl bind where it was started as that', async () => {
    const [help, below, wrong] = await Promise.all(
      [['--help'], ['apiservice', '--help'], ['--nonsense']].map(async (args) => {
        const run = runNode([plugin, ...args], { KLUTCH_SOURCE: '1' });
        const code = await run.ended();
        return { code, out: run.out(), err: run.err() };
      }),
    );

    expect(help).toMatchObject({ code: 0, out: expect.stringMatching(/^Usage: kubectl bind \[options\] <url>/) });
    expect(below).toMatchObject({ code: 0, out: expect.stringMatching(/^Usage: kubectl bind apiservice /) });
    expect(wrong).toMatchObject({ code: 2, err: expect.stringContaining('Try `kubectl bind --help`.') });
    for (const { out, err } of [help, below, wrong].map((run) => run ?? { out: '', err: '' })) {
      expect(out + err).not.toContain('klutch bind');
    }
  });
});
