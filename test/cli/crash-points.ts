import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, cp, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type Plugin } from 'esbuild';

/** What became of a command that should be killed. */
export type Fate =
  | { readonly outcome: 'killed' }
  /** It ended before it sent that many requests. */
  | {
      readonly outcome: 'ended';
      readonly code: number | null;
      readonly err: string;
      readonly requests: readonly string[];
    };

/** `klutch` as a program that can be killed at any of its requests. */
export interface KillableKlutch {
  /** Runs the command and kills it with SIGKILL right before it sends its n-th request, whichever server that goes to. */
  runUntilRequest(n: number, args: readonly string[], env?: Readonly<Record<string, string>>): Promise<Fate>;
  /** The same right before its n-th request that changes something; dry runs change nothing. */
  runUntilWrite(n: number, args: readonly string[]): Promise<Fate>;
  /** Deletes the program. */
  remove(): Promise<void>;
}

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Bundles the command, because one from source starts too slowly to be started at each crash point. */
export async function buildKillableKlutch(): Promise<KillableKlutch> {
  const cache = join(root, 'node_modules', '.cache');
  await mkdir(cache, { recursive: true });
  const folder = await mkdtemp(join(cache, 'killable-klutch-'));
  // The command reads its version and the catalogue from the folder above its own.
  await cp(join(root, 'packages/catalog/catalogue'), join(folder, 'catalogue'), { recursive: true });
  await copyFile(join(root, 'packages/cli/package.json'), join(folder, 'package.json'));
  await build({
    entryPoints: [fileURLToPath(new URL('killable-klutch.ts', import.meta.url))],
    outdir: join(folder, 'dist'),
    bundle: true,
    splitting: true,
    conditions: ['klutch-source'],
    plugins: [onlyOurs],
    format: 'esm',
    platform: 'node',
    target: 'node20',
    logLevel: 'warning',
  });
  const program = join(folder, 'dist', 'killable-klutch.js');
  const run = async (args: readonly string[], env: Readonly<Record<string, string>>): Promise<Fate> => {
    const child = spawn(process.execPath, [program, ...args], {
      env: { ...process.env, ...env, NODE_OPTIONS: '' },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let err = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => void (err += text));
    const [code, signal] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null];
    return signal === 'SIGKILL' ? { outcome: 'killed' } : { outcome: 'ended', code, err, requests: requestsIn(err) };
  };
  return {
    runUntilRequest: (n, args, env = {}) => run(args, { ...env, KLUTCH_KILL_BEFORE_REQUEST: String(n) }),
    runUntilWrite: (n, args) => run(args, { KLUTCH_KILL_BEFORE_WRITE: String(n) }),
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

/** Packages of the registry stay imports. */
const onlyOurs: Plugin = {
  name: 'only-ours',
  setup: ({ onResolve }) => {
    onResolve({ filter: /^[^./]/ }, ({ path }) => (path.startsWith('@klutch/') ? undefined : { path, external: true }));
  },
};

function requestsIn(err: string): readonly string[] {
  return JSON.parse(/requests: (.*)\n$/.exec(err)?.[1] ?? '[]') as string[];
}

/**
 * Kills a command at its crash points, one after the other, and says how many requests it sends if it is not killed. A question that it
 * repeats while it waits is one crash point. `all`: right before each request. `spread`: before the first, the last, and every seventh request, for clusters that are slow to set up.
 */
export async function throughCrashPoints(
  which: 'all' | 'spread',
  attempt: (n: number) => Promise<Fate>,
): Promise<number> {
  const whole = await attempt(Number.POSITIVE_INFINITY);
  if (whole.outcome === 'killed') throw new Error('Somebody else killed the command.');
  const { requests } = whole;
  for (const [index, request] of requests.entries()) {
    const isRepeated = request.startsWith('GET ') && request === requests[index - 1];
    const isLeftOut = which === 'spread' && index % 7 !== 0 && index !== requests.length - 1;
    if (!isRepeated && !isLeftOut) await attempt(index + 1);
  }
  return requests.length;
}
