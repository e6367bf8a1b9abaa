import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { access, mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it, onTestFinished } from 'vitest';
import { klutch, type Running, runKlutch, scratchFolder } from '../testing/run-klutch.ts';

const run = promisify(execFile);
const hasKubectl = await run('kubectl', ['version', '--client']).then(
  () => true,
  () => false,
);

/** Starts the command and waits until it serves. */
async function serving(...args: string[]): Promise<Running & { readonly kubeconfig: string; readonly url: string }> {
  const running = runKlutch(['apiserver', ...args]);
  await running.says('Ctrl-C ends it.\n');
  const kubeconfig = /Credentials of an administrator are in (.*)\. Try:/.exec(running.err())?.[1] ?? '';
  const url = /listens on (https:\S+)\. /.exec(running.err())?.[1] ?? '';
  return { ...running, kubeconfig, url };
}

async function kubectl(kubeconfig: string, ...args: string[]): Promise<string> {
  const { stdout } = await run('kubectl', ['--kubeconfig', kubeconfig, ...args]);
  return stdout;
}

const exists = (path: string) =>
  access(path).then(
    () => true,
    () => false,
  );

describe('klutch apiserver', () => {
  it('serves until Ctrl-C, with credentials that nobody else can read and that go with it', async () => {
    const server = await serving();

    expect((await stat(server.kubeconfig)).mode & 0o777).toBe(0o600);
    expect(await readFile(server.kubeconfig, 'utf8')).toContain(server.url);
    server.process.kill('SIGINT');

    expect(await server.ended()).toBe(0);
    expect(server.out()).toBe('');
    expect(await exists(server.kubeconfig)).toBe(false);
  });

  it.each(['SIGTERM', 'SIGHUP'] as const)('ends on %s', async (signal) => {
    const server = await serving();
    server.process.kill(signal);
    expect(await server.ended()).toBe(0);
  });

  it.skipIf(!hasKubectl)('can be used with the command it shows', async () => {
    const folder = await scratchFolder();
    const server = await serving('--kubeconfig', join(folder, "with space and 'quote"));
    const shown = /^ {2}(kubectl .*)$/m.exec(server.err())?.[1] ?? '';

    const { stdout } = await run('sh', ['-c', shown]);

    expect(stdout).toMatch(/^default +Active/m);
  });

  it('listens on the port it is given', async () => {
    const occupant = createServer().listen(0, '127.0.0.1');
    await once(occupant, 'listening');
    const { port } = occupant.address() as AddressInfo;
    onTestFinished(() => void occupant.close());

    const busy = await klutch('apiserver', '--port', String(port));
    occupant.close();
    await once(occupant, 'close');
    const server = await serving('--port', String(port));

    expect(busy).toEqual({
      code: 6,
      out: '',
      err: `Error: Port ${port} is in use; choose another one, or 0 for any.\n`,
    });
    expect(server.url).toBe(`https://127.0.0.1:${port}`);
  });

  it.skipIf(!hasKubectl)('has everything again after it was killed', async () => {
    const dir = join(await scratchFolder(), 'state');
    const first = await serving('--dir', dir);
    await kubectl(first.kubeconfig, 'create', 'configmap', 'kept', '--from-literal=a=b');
    first.process.kill('SIGKILL');
    expect(await first.ended()).toBe('SIGKILL');

    const second = await serving('--dir', dir);

    expect(second.kubeconfig).toBe(join(dir, 'kubeconfig'));
    expect(await kubectl(second.kubeconfig, 'get', 'configmap', 'kept', '-o', 'jsonpath={.data.a}')).toBe('b');
  });

  it('shares its folder with nobody', async () => {
    const dir = join(await scratchFolder(), 'state');
    const first = await serving('--dir', dir);
    const before = await readFile(first.kubeconfig, 'utf8');

    const second = await klutch('apiserver', '--dir', dir);

    expect(second.code).toBe(6);
    expect(second.err).toMatch(
      /^Error: The folder .*state\/objects is in use by process \d+; stop it or choose another folder\.\n$/,
    );
    expect(await readFile(first.kubeconfig, 'utf8')).toBe(before);
  });

  it('says so of a folder that is none', async () => {
    const file = join(await scratchFolder(), 'file');
    await writeFile(file, '');

    const { code, err } = await klutch('apiserver', '--dir', file);

    expect(code).toBe(2);
    expect(err).toMatch(
      /^Error: The folder .* cannot be used for storage: .*; choose one that this user may write to\.\n$/,
    );
  });

  it('leaves files of others alone', async () => {
    const dir = await scratchFolder();
    const file = join(dir, 'config');
    await writeFile(file, 'apiVersion: v1\nkind: Config\n');
    await mkdir(join(dir, 'folder'));

    const foreign = await klutch('apiserver', '--kubeconfig', file);
    const folder = await klutch('apiserver', '--kubeconfig', join(dir, 'folder'));
    const nowhere = await klutch('apiserver', '--kubeconfig', join(dir, 'nowhere', 'config'));

    expect(foreign).toEqual({
      code: 6,
      out: '',
      err: `Error: ${file} exists and was not written by this command; choose another file with --kubeconfig, or remove it.\n`,
    });
    expect(await readFile(file, 'utf8')).toBe('apiVersion: v1\nkind: Config\n');
    expect([folder.code, nowhere.code]).toEqual([2, 2]);
    expect(nowhere.err).toContain('cannot be written (ENOENT); choose another file with --kubeconfig.');
    expect(folder.err).toMatch(
      /^Error: .*folder cannot be written \(EISDIR\); choose another file with --kubeconfig\.\n$/,
    );
  });

  it('writes its own file anew', async () => {
    const file = join(await scratchFolder(), 'config');
    const first = await serving('--kubeconfig', file);
    first.process.kill('SIGTERM');
    await first.ended();

    const second = await serving('--kubeconfig', file);

    expect(await readFile(file, 'utf8')).toContain(second.url);
  });
});
