import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, statfs, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { startPlane } from '@klutch/kit';
import { onTestFinished } from 'vitest';
import { runKlutch } from '../../packages/cli/src/testing/run-klutch.ts';
import { type Client, createClient } from './client.ts';
import { certificateIn } from './server.ts';
import type { Target } from './targets.ts';

const run = promisify(execFile);

/** A server of one test alone, which can be killed and whose storage can fail. */
export interface MortalServer {
  /** Folder of what is stored. */
  readonly storage: string;
  /** A new connection of an administrator. */
  connect(): Promise<Client>;
  /** Lets the storage fail, where that is possible. Answers with what makes it work again. */
  readonly breakStorage?: () => Promise<() => Promise<void>>;
  /** Kills the server without warning, and starts it again with what is stored. */
  crash(): Promise<void>;
}

/** Starts a server that ends with the test. */
export function mortalServer(name: Target['name']): Promise<MortalServer> {
  return name === 'embedded' ? startEmbedded() : startReal();
}

async function startReal(): Promise<MortalServer> {
  const plane = await startPlane({ controllerManager: false });
  onTestFinished(() => plane.stop());
  const { kubeconfig } = plane.admin;
  return {
    storage: join(plane.dir, 'etcd'),
    connect: async () => clientOf({ url: plane.url, caCertificate: plane.pki.certificate, kubeconfig }),
    breakStorage: async () => {
      const { etcd } = plane.pids();
      if (etcd === undefined) throw new Error('etcd does not run');
      process.kill(etcd, 'SIGSTOP');
      return async () => void process.kill(etcd, 'SIGCONT');
    },
    crash: () => plane.restartApiServer(),
  };
}

async function startEmbedded(): Promise<MortalServer> {
  const { folder, canBeFull } = await smallDisk();
  const dir = join(folder, 'server');
  await mkdir(dir, { mode: 0o755 });
  const start = async () => {
    const running = runKlutch(['apiserver', '--dir', dir]);
    await running.says('Ctrl-C ends it.\n');
    return { ...running, url: /listens on (https:\S+)\. /.exec(running.err())?.[1] ?? '' };
  };
  let running = await start();
  return {
    storage: dir,
    connect: async () => {
      const kubeconfig = await readFile(join(dir, 'kubeconfig'), 'utf8');
      const caCertificate = await readFile(join(dir, 'pki', 'ca.crt'), 'utf8');
      return clientOf({ url: running.url, caCertificate, kubeconfig });
    },
    ...(canBeFull ? { breakStorage: () => fill(folder) } : {}),
    crash: async () => {
      running.process.kill('SIGKILL');
      await running.ended();
      running = await start();
    },
  };
}

/** A file system of its own, which only root can make; a folder elsewhere. */
async function smallDisk(): Promise<{ readonly folder: string; readonly canBeFull: boolean }> {
  const folder = await mkdtemp(join(tmpdir(), 'klutch-mortal-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const canBeFull = await run('mount', ['-t', 'tmpfs', '-o', 'size=4m', 'tmpfs', folder]).then(
    () => true,
    () => false,
  );
  if (canBeFull) onTestFinished(async () => void (await run('umount', [folder])));
  return { folder, canBeFull };
}

async function fill(disk: string): Promise<() => Promise<void>> {
  const filler = join(disk, 'filler');
  const { bavail, bsize } = await statfs(disk);
  await writeFile(filler, Buffer.alloc(bavail * bsize - bsize));
  return () => rm(filler);
}

function clientOf(server: { url: string; caCertificate: string; kubeconfig: string }): Client {
  const client = createClient(server, certificateIn(server.kubeconfig), () => undefined);
  onTestFinished(() => client.close());
  return client;
}
