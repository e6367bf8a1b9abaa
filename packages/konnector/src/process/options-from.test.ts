import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isKlutchError } from '@klutch/api';
import { renderKubeconfig } from '@klutch/kube';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { optionsFrom } from './options-from.ts';

let folder = '';
let kubeconfig = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'klutch-options-'));
  kubeconfig = join(folder, 'config');
  await writeFile(kubeconfig, renderKubeconfig({ server: 'https://app.example', user: { token: 'x' } }));
});
afterAll(() => rm(folder, { recursive: true }));

const from = (args: readonly string[], env: NodeJS.ProcessEnv = {}) =>
  optionsFrom([`--kubeconfig=${kubeconfig}`, ...args], env, '1.0.0');

describe('the command line of a konnector', () => {
  it('has the defaults of the Go konnector', async () => {
    expect(await from([])).toMatchObject({
      mode: { kind: 'default' },
      local: { server: 'https://app.example' },
      lease: { name: 'klutch-bind', namespace: 'kube-system', identity: expect.stringMatching(/._[0-9a-f-]{36}$/) },
      health: { port: 8080 },
      version: '1.0.0',
    });
  });

  it('takes its place from the pod', async () => {
    const options = await from([], { POD_NAME: 'konnector-1', POD_NAMESPACE: 'klutch-bind' });

    const identity: unknown = expect.stringMatching(/^konnector-1_/);
    expect(options.lease).toEqual({ name: 'klutch-bind', namespace: 'klutch-bind', identity });
  });

  it('has an identity of its own in every process, also in pods of the same name', async () => {
    const [one, other] = await Promise.all([
      from([], { POD_NAME: 'konnector-1' }),
      from([], { POD_NAME: 'konnector-1' }),
    ]);

    expect(one.lease.identity).not.toBe(other.lease.identity);
  });

  it('understands the arguments that the Go backend gives in control-plane mode', async () => {
    const options = await from([
      '--control-plane-mode',
      '--app-cluster-kubeconfig-secret-name=app',
      '--app-cluster-kubeconfig-secret-namespace=root',
      '--app-cluster-kubeconfig-secret-key=kubeconfig',
      '--binding-root-namespace=root',
      '--lease-namespace=root',
    ]);

    expect(options.mode).toEqual({
      kind: 'control-plane',
      appClusterKubeconfig: { name: 'app', namespace: 'root', key: 'kubeconfig' },
      bindingRootNamespace: 'root',
    });
    expect(options.lease.namespace).toBe('root');
  });

  it('accepts what Go accepts, and its flags for logging', async () => {
    const options = await from([
      '-v=2',
      '--logging-format',
      'json',
      '--control-plane-mode=false',
      '-lease-name',
      'other',
    ]);

    expect(options.mode).toEqual({ kind: 'default' });
    expect(options.lease.name).toBe('other');
  });

  it('has flags of its own', async () => {
    const args = ['--health-host=127.0.0.1', '--health-port=0', '--binding-namespace=b', '--heartbeat-interval=2m'];
    const options = await from([...args, '--copy-labels=a/*', '--copy-labels=b', '--copy-annotations=c']);

    expect(options).toMatchObject({
      health: { host: '127.0.0.1', port: 0 },
      bindingNamespace: 'b',
      heartbeatMs: 120_000,
      metadata: { labels: ['a/*', 'b'], annotations: ['c'] },
    });
    expect((await from(['--health-port=none'])).health).toBeUndefined();
  });

  const inControlPlane = ['--control-plane-mode', '--app-cluster-kubeconfig-secret-name=x'];
  it.each<[string[], string]>([
    [['--unknown'], '--unknown'],
    [['stray'], 'stray'],
    [['--lease-name'], '--lease-name'],
    [['--control-plane-mode'], '--app-cluster-kubeconfig-secret-name'],
    [inControlPlane, '--app-cluster-kubeconfig-secret-namespace'],
    [[...inControlPlane, '--app-cluster-kubeconfig-secret-namespace=y'], '--binding-root-namespace'],
    [
      [
        ...inControlPlane,
        '--app-cluster-kubeconfig-secret-namespace=y',
        '--binding-root-namespace=z',
        '--app-cluster-kubeconfig-secret-key=',
      ],
      '--app-cluster-kubeconfig-secret-key',
    ],
    [['--health-port=http'], '--health-port'],
    [['--health-port=70000'], '--health-port'],
    [['--heartbeat-interval=1s'], '--heartbeat-interval'],
  ])('KON-05 names what is wrong: %j', async (args, flag) => {
    const error: unknown = await from(args).catch((thrown: unknown) => thrown);

    expect(isKlutchError(error, 'KLUTCH_USAGE') && error.message).toContain(flag);
  });
});
