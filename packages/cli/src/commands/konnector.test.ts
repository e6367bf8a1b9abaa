import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { optionsFrom } from '@klutch/konnector';
import { renderKubeconfig } from '@klutch/kube';
import { describe, expect, it, onTestFinished } from 'vitest';
import { klutch, runKlutch, scratchFolder } from '../testing/run-klutch.ts';

/** A port that nobody listens on, or on which this test does. */
async function port(isBusy: boolean): Promise<number> {
  const occupant = createServer().listen(0, '127.0.0.1');
  await once(occupant, 'listening');
  onTestFinished(() => void occupant.close());
  const { port } = occupant.address() as AddressInfo;
  if (!isBusy) {
    occupant.close();
    await once(occupant, 'close');
  }
  return port;
}

async function kubeconfigFile(text: string): Promise<string> {
  const file = join(await scratchFolder(), 'config');
  await writeFile(file, text);
  return file;
}

async function unreachable(): Promise<string> {
  return kubeconfigFile(renderKubeconfig({ server: `https://127.0.0.1:${await port(false)}`, user: { token: 'x' } }));
}

/** All flags that a text names. */
const flagsIn = (text: string) => [...text.matchAll(/--([a-z][a-z-]+)/g)].map(([, name]) => name ?? '');

describe('klutch konnector --help', () => {
  it('has groups of flags with their defaults', async () => {
    const { code, out, err } = await klutch('konnector', '--help');

    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect([...out.matchAll(/^(\S.*):$/gm)].map(([, heading]) => heading)).toEqual([
      'Cluster',
      'Control-plane mode',
      'Work',
      'Replicas',
      'Health and metrics',
      'Logs',
      'Options',
      'Commands',
      'Environment',
    ]);
    const lines = out.split('\n').filter((line) => /^ {2}(-v, )?--/.test(line));
    expect(lines.filter((line) => !/\(default: .*\)|\(required in this mode\)|as in Go components/.test(line))).toEqual(
      [],
    );
  });

  it('names all flags that there are', async () => {
    const { out } = await klutch('konnector', '--help');
    const source = await readFile(new URL('../../../konnector/src/process/options-from.ts', import.meta.url), 'utf8');
    const known = /const known = \{(.*?)\n\} as const/s.exec(source)?.[1] ?? '';
    const names = [...known.matchAll(/^ {2}'?([a-z-]+)'?:/gm)].map(([, name]) => name ?? '');
    const ofGoLogs = ['v', 'vmodule', ...names.filter((name) => name.startsWith('log'))];

    expect(names).toContain('heartbeat-interval');
    expect(flagsIn(out)).toEqual(expect.arrayContaining(names.filter((name) => !ofGoLogs.includes(name))));
  });

  it('names defaults that are true', async () => {
    const { out } = await klutch('konnector', '--help');
    const defaultOf = (flag: string) => new RegExp(`--${flag} .*default: (?:.*else )?(.*)\\)`).exec(out)?.[1];
    const options = await optionsFrom([`--kubeconfig=${await unreachable()}`], {}, '1.0.0');

    expect(options).toMatchObject({
      lease: { name: defaultOf('lease-name'), namespace: defaultOf('lease-namespace') },
      health: { port: Number(defaultOf('health-port')) },
      metadata: { labels: [defaultOf('copy-labels')], annotations: [defaultOf('copy-annotations')] },
    });
  });
});

describe('klutch konnector', () => {
  it.each<[string[], string]>([
    [['--lease-nam=x'], "Error: Unknown option '--lease-nam=x'\n(Did you mean --lease-name?)\n"],
    [['--lease-name'], "Error: Option '--lease-name <name>' argument missing\n"],
    [['stray'], "Error: Too many arguments for 'konnector'."],
    [['--health-port=http'], 'Error: --health-port must be a port from 0 to 65535, or "none", not "http". '],
    [['--log-level=loud'], 'Error: --log-level must be one of debug, info, warn, error, not "loud". '],
    [['--control-plane-mode'], 'Error: --app-cluster-kubeconfig-secret-name is required with --control-plane-mode. '],
    [
      ['-control-plane-mode=true', '--app-cluster-kubeconfig-secret-name=x', '-v=2', '--vmodule=a=1'],
      'Error: --app-cluster-kubeconfig-secret-namespace is required with --control-plane-mode. ',
    ],
  ])('KON-05 says what is wrong with %j', async (args, text) => {
    const { code, out, err } = await klutch('konnector', ...args);

    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toContain(text);
    expect(err).toMatch(/Try `klutch konnector --help`\.\n$/);
  });

  it('says what is wrong with a kubeconfig, and quotes nothing of it', async () => {
    const file = await kubeconfigFile('users: [{name: a, user: {token: s3cret\n');

    const broken = await klutch('konnector', '--kubeconfig', file);
    const missing = await klutch('konnector', '--kubeconfig', `${file}.not`);

    expect([broken.code, missing.code]).toEqual([2, 2]);
    expect(missing.err).toBe(`Error: The kubeconfig ${file}.not does not exist. Check the path.\n`);
    expect(broken.err).toMatch(/^Error: [^\n]*config[^\n]*\.\n$/);
    expect(broken.err).not.toContain('s3cret');
  });

  it('says that its port is busy', async () => {
    const busy = await port(true);
    const args = ['--kubeconfig', await unreachable(), '--health-host=127.0.0.1', `--health-port=${busy}`];

    const konnector = runKlutch(['konnector', ...args]);

    expect(await konnector.ended()).toBe(6);
    expect(konnector.err()).toContain(
      `\nError: Port ${busy} for health and metrics is in use; choose another one with --health-port, 0 for any that is free, or none.\n`,
    );
    expect(konnector.err()).not.toMatch(/^ +at /m);
  });

  it('says that its address is not one of this machine', async () => {
    const args = ['--kubeconfig', await unreachable(), '--health-host=192.0.2.1', '--health-port=0'];

    const { code, err } = await klutch('konnector', ...args);

    expect(code).toBe(2);
    expect(err).toContain('\nError: Health and metrics cannot be served at 192.0.2.1, port 0 (EADDRNOTAVAIL); choose ');
  });

  it('waits for a cluster that does not answer, says so once, and ends when asked to', async () => {
    const args = ['--kubeconfig', await unreachable(), '--health-host=127.0.0.1', '--health-port=0'];
    const konnector = runKlutch(['konnector', ...args]);
    await konnector.says(/"code":"KUBE_UNREACHABLE".*"msg":"request for the lease failed"/);
    const health = /"healthPort":(\d+)/.exec(konnector.err())?.[1];

    expect((await fetch(`http://127.0.0.1:${health}/healthz`)).status).toBe(200);
    konnector.process.kill('SIGTERM');

    expect(await konnector.ended()).toBe(0);
    expect(konnector.err().match(/request for the lease failed/g)).toHaveLength(1);
    expect(konnector.err()).not.toMatch(/^ +at /m);
  });

  it('ends when it needs an app cluster that it cannot learn of', async () => {
    const mode = ['control-plane-mode', 'app-cluster-kubeconfig-secret-name=a', 'binding-root-namespace=r'];
    const flags = [...mode, 'app-cluster-kubeconfig-secret-namespace=r', 'health-port=none'].map((flag) => `--${flag}`);

    const { code, err } = await klutch('konnector', '--kubeconfig', await unreachable(), ...flags);

    expect(code).toBe(8);
    expect(err).toMatch(/\nError: .*127\.0\.0\.1.*\.\n$/);
  });

  it('writes for people on request', async () => {
    const args = ['--kubeconfig', await unreachable(), '--health-port=none', '--log-format=pretty'];
    const konnector = runKlutch(['konnector', ...args]);
    await konnector.says('request for the lease failed');
    konnector.process.kill('SIGINT');
    await konnector.ended();

    const shapes = konnector.err().trimEnd().split('\n');

    expect(shapes.filter((line) => !/^\d\d:\d\d:\d\d\.\d{3} (INFO|WARN|ERROR) +\S/.test(line))).toEqual([]);
  });
});
