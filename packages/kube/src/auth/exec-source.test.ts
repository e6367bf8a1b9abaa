import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { describe, expect, it, vi } from 'vitest';
import type { ClusterConfig, ExecPlugin } from '../kubeconfig/cluster-config.ts';
import { loadKubeconfig } from '../kubeconfig/load.ts';
import { kubeconfigText, rejection } from '../kubeconfig/test-kubeconfig.ts';
import { createCredentialSource } from './credential-source.ts';
import type { CredentialSource } from './credentials.ts';
import type { CredentialDeps } from './deps.ts';
import { first } from './test-certificates.ts';
import { type TestPlugin, testPlugin } from './test-plugin.ts';

const HOUR = 3_600_000;

interface World extends TestPlugin {
  readonly source: CredentialSource;
  readonly clock: { now: number };
}

async function world(
  body: string,
  change: Partial<ExecPlugin> = {},
  deps: CredentialDeps = {},
  config: Partial<ClusterConfig> = {},
): Promise<World> {
  const script = await testPlugin(body);
  const plugin: ExecPlugin = {
    command: script.path,
    args: [],
    env: {},
    apiVersion: 'client.authentication.k8s.io/v1',
    provideClusterInfo: false,
    ...change,
  };
  const clock = { now: Date.UTC(2030, 0, 1) };
  const source = createCredentialSource(
    { server: 'https://hub.example', source: 'context "dev" of config', ...config, auth: { kind: 'exec', plugin } },
    { now: () => clock.now, ...deps },
  );
  return { ...script, source, clock };
}

/** A plugin whose nth run answers with the token `token-<n>`, valid for an hour of the clock at that run. */
const counting = `
  log('run');
  const runs = fs.readFileSync(folder + '/log', 'utf8').trim().split('\\n').length;
  const clock = Number(fs.existsSync(folder + '/clock') ? fs.readFileSync(folder + '/clock', 'utf8') : ${Date.UTC(2030, 0, 1)});
  answer({ token: 'token-' + runs, expirationTimestamp: new Date(clock + ${HOUR}).toISOString() });
`;

async function advance({ clock, folder }: World, milliseconds: number): Promise<void> {
  clock.now += milliseconds;
  await writeFile(join(folder, 'clock'), String(clock.now));
}

describe('credentials of an exec plugin', () => {
  it('are asked for once and kept until shortly before they expire', async () => {
    const plugin = await world(counting);

    expect(await plugin.source.current()).toEqual({ authorization: 'Bearer token-1' });
    await advance(plugin, HOUR - 60_001);
    expect(await plugin.source.current()).toEqual({ authorization: 'Bearer token-1' });
    expect(await plugin.logged()).toHaveLength(1);
    await advance(plugin, 1);

    expect(await plugin.source.current()).toEqual({ authorization: 'Bearer token-2' });
    expect(await plugin.logged()).toHaveLength(2);
  });

  it('are kept until refused when they do not expire', async () => {
    const plugin = await world(`log('run'); answer({ token: 'abc' });`);

    await plugin.source.current();
    plugin.clock.now += 1000 * HOUR;
    await plugin.source.current();
    expect(await plugin.logged()).toHaveLength(1);
    plugin.source.invalidate();
    await plugin.source.current();

    expect(await plugin.logged()).toHaveLength(2);
  });

  it('are used once when they have expired already, as a clock that is ahead makes them seem', async () => {
    const plugin = await world(`log('run'); answer({ token: 'abc', expirationTimestamp: '2029-12-31T23:00:00Z' });`);

    expect(await plugin.source.current()).toEqual({ authorization: 'Bearer abc' });
    expect(await plugin.source.current()).toEqual({ authorization: 'Bearer abc' });
    expect(await plugin.logged()).toHaveLength(2);
  });

  it('are asked for once by all who need them at the same time', async () => {
    const plugin = await world(counting);

    const all = await Promise.all(Array.from({ length: 20 }, () => plugin.source.current()));

    expect(new Set(all.map(({ authorization }) => authorization))).toEqual(new Set(['Bearer token-1']));
    expect(await plugin.logged()).toHaveLength(1);
  });

  it('are not asked for again when the old ones are refused while new ones are on their way', async () => {
    const plugin = await world(counting);

    const asked = plugin.source.current();
    plugin.source.invalidate();

    expect(await Promise.all([asked, plugin.source.current()])).toEqual([
      { authorization: 'Bearer token-1' },
      { authorization: 'Bearer token-1' },
    ]);
    expect(await plugin.logged()).toHaveLength(1);
  });

  it('may be a token and a certificate', async () => {
    const pair = JSON.stringify({ clientCertificateData: first.certificate, clientKeyData: first.key, token: 'abc' });
    const { source } = await world(`answer(${pair});`);

    expect(await source.current()).toEqual({ ...first, authorization: 'Bearer abc' });
  });

  it('stay in use until they expire when the plugin fails to renew them', async () => {
    const plugin = await world(`if (fs.existsSync(folder + '/broken')) { log('failed'); process.exit(1); }${counting}`);
    await plugin.source.current();
    await writeFile(join(plugin.folder, 'broken'), '');

    await advance(plugin, HOUR - 30_000);
    expect(await plugin.source.current()).toEqual({ authorization: 'Bearer token-1' });
    expect(await plugin.source.current()).toEqual({ authorization: 'Bearer token-1' });
    expect(await plugin.logged()).toEqual(['run', 'failed']);
    await advance(plugin, 5000);
    expect(await plugin.source.current()).toEqual({ authorization: 'Bearer token-1' });
    expect(await plugin.logged()).toEqual(['run', 'failed', 'failed']);
    await advance(plugin, 25_000);

    expect((await rejection(plugin.source.current())).code).toBe('KUBE_CREDENTIALS_FAILED');
  });

  it('are not used when they are refused while the plugin fails to renew them', async () => {
    const plugin = await world(`
      if (!fs.existsSync(folder + '/slow')) { ${counting} }
      else { log('renewing'); setInterval(() => { if (fs.existsSync(folder + '/fail')) process.exit(1); }, 10); }
    `);
    await plugin.source.current();
    await writeFile(join(plugin.folder, 'slow'), '');
    await advance(plugin, HOUR - 30_000);

    const renewing = rejection(plugin.source.current());
    await vi.waitFor(async () => expect(await plugin.logged()).toContain('renewing'), { timeout: 10_000 });
    plugin.source.invalidate();
    await writeFile(join(plugin.folder, 'fail'), '');

    expect((await renewing).code).toBe('KUBE_CREDENTIALS_FAILED');
  });

  it('are not used after a refusal even when the plugin fails', async () => {
    const plugin = await world(`if (fs.existsSync(folder + '/broken')) process.exit(1);${counting}`);
    await plugin.source.current();
    await writeFile(join(plugin.folder, 'broken'), '');

    plugin.source.invalidate();

    expect((await rejection(plugin.source.current())).code).toBe('KUBE_CREDENTIALS_FAILED');
  });
});

describe('an exec plugin', () => {
  it('gets the environment of the process, its own variables and KUBERNETES_EXEC_INFO', async () => {
    const { source, logged } = await world(
      `log([process.env.OUTER, process.env.INNER, info]); answer({ token: 'abc' });`,
      { env: { INNER: 'inner', KUBERNETES_EXEC_INFO: 'ignored' }, apiVersion: 'client.authentication.k8s.io/v1beta1' },
      { env: { ...process.env, OUTER: 'outer', INNER: 'overridden' } },
    );

    await source.current();

    const info = {
      kind: 'ExecCredential',
      apiVersion: 'client.authentication.k8s.io/v1beta1',
      spec: { interactive: false },
    };
    expect(await logged()).toEqual([['outer', 'inner', info]]);
  });

  it('gets the cluster with the content of its CA file', async () => {
    const ca = await testPlugin('');
    await writeFile(join(ca.folder, 'ca.crt'), first.certificate);
    const { source, logged } = await world(
      `log(info.spec.cluster); answer({ token: 'abc' });`,
      { provideClusterInfo: true },
      {},
      { ca: { from: 'file', path: join(ca.folder, 'ca.crt') } },
    );

    await source.current();

    expect(await logged()).toEqual([
      {
        server: 'https://hub.example',
        'certificate-authority-data': Buffer.from(first.certificate).toString('base64'),
        config: null,
      },
    ]);
  });

  it.each([
    ['Never', false],
    ['IfAvailable', true],
    ['Always', true],
  ] as const)('of mode %s is told whether it may talk to the user: %s', async (interactiveMode, interactive) => {
    const stderr = new Writable({ write: (_chunk, _encoding, done) => done() });
    const { source, logged } = await world(
      `log(info.spec.interactive); answer({ token: 'abc' });`,
      { interactiveMode },
      { terminal: { stderr } },
    );

    await source.current();

    expect(await logged()).toEqual([interactive]);
  });

  it('that must talk to the user is not run without a terminal, one that may is', async () => {
    const body = `log('ran'); answer({ token: 'abc' });`;
    const must = await world(body, { interactiveMode: 'Always' });
    const may = await world(body, { interactiveMode: 'IfAvailable' });

    expect((await rejection(must.source.current())).message).toContain('must talk to its user');
    expect(await must.logged()).toEqual([]);
    expect(await may.source.current()).toEqual({ authorization: 'Bearer abc' });
  });

  it('is found next to its kubeconfig when its path is relative, and in PATH when it is a bare name', async () => {
    const { folder } = await testPlugin(`answer({ token: 'found' });`);
    const text = (command: string) =>
      kubeconfigText({
        user: [`exec: {apiVersion: client.authentication.k8s.io/v1, command: ${command}, interactiveMode: Never}`],
      });
    await writeFile(join(folder, 'relative'), text('./plugin'));
    await writeFile(join(folder, 'bare'), text('plugin'));
    const inPath = { env: { ...process.env, PATH: `${folder}:${process.env.PATH}` } };

    const relative = createCredentialSource(await loadKubeconfig({ path: join(folder, 'relative') }));
    const bare = createCredentialSource(await loadKubeconfig({ path: join(folder, 'bare') }), inPath);

    expect(await relative.current()).toEqual({ authorization: 'Bearer found' });
    expect(await bare.current()).toEqual({ authorization: 'Bearer found' });
  });

  it('is stopped when everybody who waited for it has given up, and runs anew for the next', async () => {
    const plugin = await world(
      `log(process.pid); if (!fs.existsSync(folder + '/go')) setInterval(() => {}, 1000); else answer({ token: 'abc' });`,
    );
    const impatient = new AbortController();

    const waiting = plugin.source.current(impatient.signal);
    await vi.waitFor(async () => expect(await plugin.logged()).toHaveLength(1), { timeout: 10_000 });
    impatient.abort();

    expect((await rejection(waiting)).code).toBe('KUBE_ABORTED');
    const [pid] = await plugin.logged();
    expect(() => process.kill(Number(pid), 0)).toThrow('ESRCH');
    await writeFile(join(plugin.folder, 'go'), '');
    expect(await plugin.source.current()).toEqual({ authorization: 'Bearer abc' });
  });
});

describe('an exec plugin that fails', () => {
  it('is reported with exit code and what it said, without secrets', async () => {
    const { source, path } = await world(
      `console.error('profile prod: login refused for s3cr3t-pw, token=abc and ' + process.env.APP_TOKEN + process.argv[3]);
       answer({ token: 'plain-old-token' }); console.error('plain-old-token'); process.exit(4);`,
      { env: { APP_TOKEN: 'from-env' }, args: ['--client-secret', 's3cr3t-pw'] },
    );

    const error = await rejection(source.current());

    expect(error.code).toBe('KUBE_CREDENTIALS_FAILED');
    expect(error.message).toContain(
      `The credential plugin "${path}" of context "dev" of config failed with exit code 4.`,
    );
    expect(error.message).toContain('It said: profile prod: login refused for [redacted], token=[redacted]');
    expect(error.message).not.toMatch(/s3cr3t|abc|from-env|plain-old|--client/);
  });

  it('is reported with the install hint when it is not there', async () => {
    const { source } = await world('', {
      command: 'klutch-no-such-plugin',
      installHint: 'Get it from\u001b[1m https://login.example',
    });
    const { source: noHint } = await world('', { command: 'klutch-no-such-plugin' });

    expect((await rejection(source.current())).message).toBe(
      'The credential plugin "klutch-no-such-plugin" of context "dev" of config was not found. Get it from[1m https://login.example',
    );
    expect((await rejection(noHint.current())).message).toContain('Install it or correct the kubeconfig');
  });

  it('is reported when it takes too long', async () => {
    const { source } = await world(`setInterval(() => {}, 1000);`, {}, { execTimeoutMs: 300 });

    expect((await rejection(source.current())).message).toContain('did not finish within 0.3 s');
  });

  it('is reported when its answer is of no use, without showing the answer', async () => {
    const { source } = await world(`console.log('{"token": "hidden"');`);
    const { source: endless } = await world(
      `const more = () => process.stdout.write('x'.repeat(65536), more); more();`,
    );
    const { source: killed } = await world(`process.kill(process.pid, 'SIGKILL');`);
    const { source: folder } = await world('', { command: '/' });

    const error = await rejection(source.current());
    expect(error.message).toContain('did not write an ExecCredential as JSON');
    expect(error.message).not.toContain('hidden');
    expect((await rejection(endless.current())).message).toContain('wrote more than 1 MiB');
    expect((await rejection(killed.current())).message).toContain('was ended by SIGKILL');
    expect((await rejection(folder.current())).message).toContain('may not be executed');
  });

  it('is asked again by the next caller', async () => {
    const plugin = await world(`if (!fs.existsSync(folder + '/go')) process.exit(1); answer({ token: 'abc' });`);
    await rejection(plugin.source.current());

    await writeFile(join(plugin.folder, 'go'), '');

    expect(await plugin.source.current()).toEqual({ authorization: 'Bearer abc' });
  });
});
