import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { access, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { resolveBinaries } from '../binaries/resolve.ts';
import { eventually } from '../eventually.ts';
import { startComponent } from '../process/component.ts';
import { isAlive } from '../process/process-identity.ts';
import { createNamespace, describeReal } from '../vitest/index.ts';
import { startApiServer } from './api-server.ts';
import { startEtcd } from './etcd.ts';
import { createPlaneFolder } from './folder.ts';
import { freePort } from './free-port.ts';
import type { Plane } from './plane.ts';
import { preparePlane } from './prepare.ts';
import { startPlane } from './start-plane.ts';

describe('a plane that cannot start', () => {
  let dir: string;
  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), 'kit-broken-'));
  });
  afterEach(() => rm(dir, { recursive: true }));

  async function program(name: string, script: string): Promise<string> {
    const file = join(dir, name);
    await writeFile(file, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
    return file;
  }

  it('shows the end of the log of the program to blame and where it is', async () => {
    const etcd = await program('etcd', 'echo "panic: no space left on device" >&2; exit 2');
    const start = startPlane({ binaries: { etcd, kubeApiserver: 'unused' } });
    await expect(start).rejects.toMatchObject({ code: 'KLUTCH_KIT_START_FAILED' });
    await expect(start).rejects.toThrow(
      /^etcd ended before it was ready. The end of its log \(.*\/etcd\.log\):\npanic: no space left on device$/,
    );
  });

  it('takes the programs that did start down again', async () => {
    const etcd = await program('etcd', `echo $$ > ${dir}/pid; : > etcd.sock; exec sleep 600`);
    const kubeApiserver = await program('kube-apiserver', 'echo "unknown flag: --bogus"; exit 1');
    await expect(startPlane({ binaries: { etcd, kubeApiserver } })).rejects.toThrow('unknown flag: --bogus');
    const pid = Number(await readFile(join(dir, 'pid'), 'utf8'));
    expect(isAlive({ pid, startTicks: 0 })).toBe(false);
  });

  it('says so at once when it needs a controller manager and there is none', async () => {
    const binaries = { etcd: 'unused', kubeApiserver: 'unused' };
    await expect(startPlane({ binaries, controllerManager: true })).rejects.toMatchObject({
      code: 'KLUTCH_KIT_BINARIES_MISSING',
      message: expect.stringContaining('kube-controller-manager'),
    });
  });
});

describeReal('several planes', () => {
  it('run side by side and know nothing of each other', async () => {
    const [one, two] = await Promise.all([bare(), bare()]);
    try {
      const namespace = await createNamespace(one);
      expect((await two.admin.request('GET', `/api/v1/namespaces/${namespace}`)).status).toBe(404);
      const stranger = await two.certificateUser({ name: 'admin', groups: ['system:masters'], authority: one.pki });
      expect((await stranger.request('GET', '/api/v1/namespaces')).status).toBe(401);
    } finally {
      await Promise.all([one.stop(), two.stop()]);
    }
  });
});

describeReal('the port of a plane', () => {
  it('is another one when somebody else was faster', async () => {
    const squatter = createServer((socket) => socket.destroy()).listen(0, '127.0.0.1');
    await once(squatter, 'listening');
    const { port: taken } = squatter.address() as AddressInfo;
    const free = await freePort();
    const ports = [taken, free];
    const { etcd, kubeApiserver } = await resolveBinaries();
    const plane = await preparePlane(await createPlaneFolder(), {});
    const storage = await startEtcd(plane.dir, etcd, 60_000);
    const pickPort = async () => ports.shift() ?? 0;
    const server = await startApiServer({ plane, command: kubeApiserver, timeoutMs: 60_000, pickPort });
    expect(server.port).toBe(free);
    await server.component.kill();
    await storage.kill();
    await rm(plane.dir, { recursive: true });
    squatter.close();
    await once(squatter, 'close');
  });
});

describeReal('the storage of a plane', () => {
  it('goes back to a backup, and to that of another plane', async () => {
    const [one, two] = await Promise.all([bare(), bare()]);
    const names = async (plane: Plane) => {
      const { body } = await plane.admin.request<Listed>('GET', '/api/v1/namespaces');
      return body.items.map(({ metadata }) => metadata.name);
    };
    try {
      const before = await createNamespace(one, 'before');
      const backup = await one.backup();
      const after = await createNamespace(one, 'after');
      expect(await names(one)).toEqual(expect.arrayContaining([before, after]));
      const { url } = one;

      await Promise.all([one.restore(backup), two.restore(backup)]);

      for (const plane of [one, two]) {
        expect(await names(plane)).toContain(before);
        expect(await names(plane)).not.toContain(after);
      }
      expect(one.url).toBe(url);
    } finally {
      await Promise.all([one.stop(), two.stop()]);
    }
  });
});

interface Listed {
  readonly items: readonly { readonly metadata: { readonly name: string } }[];
}

describeReal('the end of a plane', () => {
  it('leaves neither process nor folder when it is stopped', async () => {
    const plane = await bare();
    const pids = pidsOf(plane);
    expect(pids).toHaveLength(2);
    await plane.stop();
    await plane.stop();
    expect(living(pids)).toEqual([]);
    await expect(access(plane.dir)).rejects.toMatchObject({ code: 'ENOENT' });
  });

  it('is sudden for it and its companions when it is killed, and the logs remain until it is stopped', async () => {
    const plane = await bare();
    const companion = await startComponent({
      name: 'companion',
      command: '/bin/sleep',
      args: ['600'],
      cwd: plane.dir,
      logFile: join(plane.dir, 'companion.log'),
    });
    plane.addCompanion(companion);
    const pids = [...pidsOf(plane), companion.pid];
    expect(living(pids)).toHaveLength(3);
    await plane.kill();
    expect(living(pids)).toEqual([]);
    expect(await readdir(plane.dir)).toEqual(expect.arrayContaining(['etcd.log', 'kube-apiserver.log']));
    await plane.stop();
  });

  it('comes with the end of the process that started it, even by kill -9', async () => {
    const owner = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '--eval', OWNER], {
      cwd: import.meta.dirname,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [line] = (await once(owner.stdout, 'data')) as [Buffer];
    const { dir, pids } = JSON.parse(line.toString()) as { dir: string; pids: Record<string, number> };
    expect(living(Object.values(pids))).toHaveLength(3);

    owner.kill('SIGKILL');
    await once(owner, 'exit');

    await eventually(() => living(Object.values(pids)).length === 0, { what: 'all programs are gone' });
    // Whoever makes the next folder clears away those of the dead; another process may have done so already.
    await rm(await createPlaneFolder(), { recursive: true });
    await expect(access(dir)).rejects.toMatchObject({ code: 'ENOENT' });
  });
});

const OWNER = `
  const { startPlane } = await import(${JSON.stringify(new URL('./start-plane.ts', import.meta.url).href)});
  const plane = await startPlane({ controllerManager: true });
  process.stdout.write(JSON.stringify({ dir: plane.dir, pids: plane.pids() }) + '\\n');
`;

const bare = () => startPlane({ controllerManager: false });

function pidsOf(plane: Plane): number[] {
  return Object.values(plane.pids()).filter((pid) => pid !== undefined);
}

function living(pids: readonly number[]): number[] {
  return pids.filter((pid) => isAlive({ pid, startTicks: 0 }));
}
