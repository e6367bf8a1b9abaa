import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseKubeconfig } from '@klutch/kube';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { writeKubeconfig } from './kubeconfig-file.ts';
import { usualPorts } from './ports.ts';
import { defaultDir, layoutOf, openState, removeState, saveState } from './state.ts';

let dir: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'klutch-state-'));
});
afterEach(() => rm(dir, { recursive: true, force: true }));

describe('what a sandbox remembers', () => {
  it('is the same the next time, and nobody else can read it', async () => {
    const layout = layoutOf(join(dir, 'deep', 'sandbox'));
    const first = await openState(layout, usualPorts);
    await saveState(layout, { ...first, ports: { ...usualPorts, issuer: 7 } });
    expect(await openState(layout, usualPorts)).toEqual({ ...first, ports: { ...usualPorts, issuer: 7 } });
    expect((await stat(layout.state)).mode & 0o777).toBe(0o600);
    expect((await stat(layout.dir)).mode & 0o777).toBe(0o700);
  });

  it('differs from sandbox to sandbox', async () => {
    const [one, two] = await Promise.all(['a', 'b'].map((name) => openState(layoutOf(join(dir, name)), usualPorts)));
    for (const secret of ['password', 'clientSecret', 'machineSecret', 'sealingKey'] as const) {
      expect(one?.[secret]).not.toBe(two?.[secret]);
    }
    expect(Buffer.from(one?.sealingKey ?? '', 'base64')).toHaveLength(32);
  });

  it('is not guessed when it is damaged, and not quoted', async () => {
    const layout = layoutOf(dir);
    await writeFile(layout.state, '{"password": "hush');
    const opened = openState(layout, usualPorts);
    await expect(opened).rejects.toMatchObject({ code: 'KLUTCH_FILE_UNWRITABLE' });
    await expect(opened).rejects.not.toThrow(/hush/);
  });

  it('has to have a folder', async () => {
    await writeFile(join(dir, 'file'), '');
    const layout = layoutOf(join(dir, 'file', 'sandbox'));
    await expect(saveState(layout, await openState(layout, usualPorts))).rejects.toMatchObject({
      code: 'KLUTCH_FILE_UNWRITABLE',
      message: expect.stringContaining('choose another folder with --dir'),
    });
  });
});

describe('removing a sandbox', () => {
  it('leaves nothing of it', async () => {
    const layout = layoutOf(join(dir, 'sandbox'));
    await saveState(layout, await openState(layout, usualPorts));
    await mkdir(join(layout.controlPlane, 'objects'), { recursive: true });
    await removeState(layout);
    expect(await readdir(dir)).toEqual([]);
  });

  it('leaves what is not its own', async () => {
    const layout = layoutOf(dir);
    await saveState(layout, await openState(layout, usualPorts));
    await writeFile(join(dir, 'notes.txt'), 'mine');
    await removeState(layout);
    expect(await readdir(dir)).toEqual(['notes.txt']);
  });
});

describe('the folder of a sandbox', () => {
  it.each([
    [{ XDG_DATA_HOME: '/data' }, '/data/klutch/sandbox'],
    [{ XDG_DATA_HOME: '' }, join(homedir(), '.klutch', 'sandbox')],
    [{}, join(homedir(), '.klutch', 'sandbox')],
  ])('is for %j %s', (env, folder) => {
    expect(defaultDir(env)).toBe(folder);
  });
});

describe('the kubeconfig of a sandbox', () => {
  const config = (server: string) =>
    JSON.stringify({ clusters: [{ name: 'c', cluster: { server } }], users: [{ name: 'u', user: { token: 't' } }] });

  it('leads to both clusters by their own names, to the app cluster first', async () => {
    const file = join(dir, 'kubeconfig');
    await writeKubeconfig(file, { app: config('https://app'), controlPlane: config('https://above') });
    const text = await readFile(file, 'utf8');
    const server = (context?: string) => parseKubeconfig(text, { source: 'test', trust: 'local', context }).server;
    expect([server(), server('klutch-app'), server('klutch-control-plane')]).toEqual([
      'https://app',
      'https://app',
      'https://above',
    ]);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
  });
});
