import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { konnectorNodeOptions } from '@klutch/api';
import { build } from 'esbuild';
import { konnectorOptions, localConfig } from '../../test/konnector/run-konnector.ts';
import type { Stage } from './stage.ts';

/** What a process has used since it started. */
export interface Usage {
  /** Bytes of memory that it occupies now. */
  readonly rss: number;
  /** Microseconds of processor time. */
  readonly cpu: { readonly user: number; readonly system: number };
  /** Writes to whichever cluster, but for its lease and its heartbeats. */
  readonly writes: number;
}

/** A konnector in a process of its own, with exactly the rights it needs. */
export interface KonnectorChild {
  usage(): Promise<Usage>;
  /** Ends it in good order. */
  stop(): Promise<void>;
}

export async function startChild({ side, api }: Stage): Promise<KonnectorChild> {
  const child = fork(await bundled(), { execArgv: nodeOptions });
  const { probe: _, lease, ...options } = konnectorOptions(side, await localConfig(side, { apis: [api] }));
  // Probes and lease at their usual pace, not at that of tests.
  child.send({ type: 'start', options: { ...options, lease: { ...lease, timings: undefined } } });
  await answer(child);
  return {
    usage: async () => {
      child.send({ type: 'usage' });
      return (await answer(child)) as Usage;
    },
    stop: async () => {
      const ended = once(child, 'exit');
      child.disconnect();
      await ended;
    },
  };
}

/** As in the pods that we generate. */
const nodeOptions = konnectorNodeOptions.split(' ');

/** The process as it would be shipped: one file, without the tools that run TypeScript. */
async function bundled(): Promise<string> {
  const outfile = join('.cache', 'bench', 'konnector-process.mjs');
  await build({
    entryPoints: [fileURLToPath(new URL('konnector-process.ts', import.meta.url))],
    outfile,
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    conditions: ['klutch-source'],
    // Packages in the older module format call `require`.
    banner: { js: "import{createRequire}from'node:module';const require=createRequire(import.meta.url);" },
  });
  return outfile;
}

async function answer(child: ChildProcess): Promise<unknown> {
  const stop = new AbortController();
  const died = once(child, 'exit', { signal: stop.signal }).then(() => {
    throw new Error('The konnector ended before it answered.');
  });
  try {
    const [message] = (await Promise.race([once(child, 'message'), died])) as unknown[];
    return message;
  } finally {
    died.catch(() => {});
    stop.abort();
  }
}
