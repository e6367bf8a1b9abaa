import { type ChildProcess, spawn, type SpawnOptions } from 'node:child_process';
import { once } from 'node:events';
import { build } from 'esbuild';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** A process and what it has said so far. */
export interface Child {
  readonly process: ChildProcess;
  /** Lines it has printed; grows. */
  readonly lines: string[];
  /** Settles when it has ended and all it printed is in `lines`. */
  readonly ended: Promise<{ readonly code: number | null; readonly signal: NodeJS.Signals | null }>;
}

/** Bundles a program beside a test into one file, so that starting it many times is fast. Returns its path. */
export async function bundleProgram(source: URL, dir: string): Promise<string> {
  const outfile = join(dir, 'program.mjs');
  await build({
    entryPoints: [fileURLToPath(source)],
    bundle: true,
    platform: 'node',
    format: 'esm',
    outfile,
    logLevel: 'error',
  });
  return outfile;
}

/** Starts a command and collects its output by lines. */
export function startChild(command: string, args: readonly string[], options: SpawnOptions = {}): Child {
  const child = spawn(command, args, { ...options, stdio: ['ignore', 'pipe', 'inherit'] });
  const lines: string[] = [];
  let rest = '';
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    const parts = `${rest}${text}`.split('\n');
    rest = parts.pop() ?? '';
    lines.push(...parts);
  });
  const ended = once(child, 'close').then(([code, signal]) => ({ code, signal }));
  return { process: child, lines, ended };
}
