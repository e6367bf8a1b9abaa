import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { konnectorNodeOptions } from '@klutch/api';
import type { KonnectorOptions } from '@klutch/konnector';
import type { Fault } from '@klutch/kube/testing';
import { build } from 'esbuild';
import type { ReplicaWrite } from '../konnector-faults/leader-writes.ts';
import type { Order, Report, Usage } from './konnector-process.ts';
import type { SentWrite } from './recorded-writes.ts';

/** A konnector in a process of its own. */
export interface KonnectorChild {
  /** Starts the konnector, and resolves when it competes for its lease. */
  start(options: KonnectorOptions): Promise<void>;
  usage(): Promise<Usage>;
  /** From now on its wall clock is wrong by so many seconds. */
  setClock(errorSeconds: number): void;
  /** From now on that share of its requests fails, but for those to its lease. */
  setFault(fault: Fault | undefined, probability?: number): void;
  /** Kills it with SIGKILL. */
  kill(): Promise<void>;
  /** Ends it in good order. */
  stop(): Promise<void>;
}

/** Who is told of writes; that takes time. */
export interface WriteListener {
  /** A write is sent; not told of those to the lease. */
  sent?(write: SentWrite): void;
  /** A write was answered or failed, also one to the lease. */
  ended?(write: ReplicaWrite): void;
}

/** A program that is ready to be forked; remove it. */
export interface KonnectorProgram {
  /** Forks a process, which loads everything and waits to be started. */
  fork(listener?: WriteListener): KonnectorChild;
  remove(): Promise<void>;
}

const here = fileURLToPath(new URL('../..', import.meta.url));

/**
 * The konnector as it would be shipped: one file, without the tools that run TypeScript. Another checkout of this
 * repository gives its own konnector and whatever that imports.
 */
export async function bundleKonnector(checkout = here): Promise<KonnectorProgram> {
  const cache = join(here, '.cache');
  await mkdir(cache, { recursive: true });
  const folder = await mkdtemp(join(cache, 'konnector-process-'));
  const outfile = join(folder, 'konnector.mjs');
  await build({
    entryPoints: [fileURLToPath(new URL('konnector-process.ts', import.meta.url))],
    outfile,
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    alias: await packagesOf(checkout),
    // For a checkout in which nothing is installed.
    nodePaths: [join(here, 'node_modules')],
    // Packages in the older module format call `require`.
    banner: { js: "import{createRequire}from'node:module';const require=createRequire(import.meta.url);" },
  });
  return {
    fork: (listener) => childOf(fork(outfile, { execArgv: konnectorNodeOptions.split(' ') }), listener),
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

/** Files of the packages of a checkout, by what imports them. */
async function packagesOf(checkout: string): Promise<Record<string, string>> {
  const folders = await readdir(join(checkout, 'packages'));
  const packages = await Promise.all(
    folders.map(async (folder) => {
      const text = await readFile(join(checkout, 'packages', folder, 'package.json'), 'utf8');
      const { name, exports } = JSON.parse(text) as { name: string; exports: Record<string, Record<string, string>> };
      return Object.entries(exports).map(([path, { 'klutch-source': source = '' }]) => [
        join(name, path),
        join(checkout, 'packages', folder, source),
      ]);
    }),
  );
  // The longest come first: an alias also stands for everything below it.
  return Object.fromEntries(packages.flat().sort(([a = ''], [b = '']) => b.length - a.length)) as Record<
    string,
    string
  >;
}

function childOf(child: ChildProcess, listener: WriteListener = {}): KonnectorChild {
  const send = (order: Order) => void child.send(order);
  child.on('message', (report: Report) => {
    if (report.type === 'write') listener.sent?.(report.write);
    if (report.type === 'outcome') listener.ended?.(report.write);
  });
  return {
    start: async (options) => {
      const started = answer(child, 'started');
      const tells = { tellsWrites: listener.sent !== undefined, tellsOutcomes: listener.ended !== undefined };
      send({ type: 'start', options, ...tells });
      await started;
    },
    usage: async () => {
      const reported = answer(child, 'usage');
      send({ type: 'usage' });
      return (await reported).usage;
    },
    setClock: (errorSeconds) => send({ type: 'clock', errorSeconds }),
    setFault: (fault, probability = 1) => send({ type: 'fault', fault, probability }),
    kill: async () => {
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
    },
    stop: async () => {
      const ended = once(child, 'exit');
      child.disconnect();
      await ended;
    },
  };
}

/** The next report of that type; rejects when the process ends before. */
function answer<Type extends Report['type']>(
  child: ChildProcess,
  type: Type,
): Promise<Extract<Report, { type: Type }>> {
  return new Promise((resolve, reject) => {
    const onReport = (report: Report) => {
      if (report.type !== type) return;
      forget();
      resolve(report as Extract<Report, { type: Type }>);
    };
    const onExit = () => {
      forget();
      reject(new Error('The konnector ended before it answered.'));
    };
    const forget = () => {
      child.off('message', onReport);
      child.off('exit', onExit);
    };
    child.on('message', onReport);
    child.on('exit', onExit);
  });
}
