import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';

const command = fileURLToPath(new URL('../../bin/klutch.js', import.meta.url));

/** A `klutch` process. */
export interface Running {
  readonly process: ChildProcess;
  /** Standard output so far. */
  out(): string;
  /** Standard error so far. */
  err(): string;
  /** Waits until standard error has a text. Fails when the process ends without. */
  says(text: string | RegExp): Promise<void>;
  /** Waits for the end; a signal in place of a code when one has ended it. */
  ended(): Promise<number | NodeJS.Signals>;
}

/** Starts the real command from source; it ends with the test at the latest. */
export function runKlutch(args: readonly string[], environment: Readonly<Record<string, string>> = {}): Running {
  return runNode([command, ...args], { KLUTCH_SOURCE: '1', ...environment });
}

/** Starts any program. */
export function runNode(args: readonly string[], environment: Readonly<Record<string, string>> = {}): Running {
  const env = { ...process.env, NODE_OPTIONS: '', ...environment };
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const texts = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => void (texts.stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => void (texts.stderr += text));
  // `close` comes after all output has.
  const closed = once(child, 'close') as Promise<[number | null, NodeJS.Signals | null]>;
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await closed;
  });
  const ended = async () => {
    const [code, signal] = await closed;
    return code ?? signal ?? Number.NaN;
  };
  const isSaid = (text: string | RegExp) =>
    typeof text === 'string' ? texts.stderr.includes(text) : text.test(texts.stderr);
  return {
    process: child,
    out: () => texts.stdout,
    err: () => texts.stderr,
    ended,
    says: async (text) => {
      let isOver = false;
      void closed.then(() => {
        isOver = true;
      });
      while (!isSaid(text)) {
        if (isOver) throw new Error(`The command ended without saying ${String(text)}, but: ${texts.stderr}`);
        await Promise.race([once(child.stderr, 'data'), closed]);
      }
    },
  };
}

/** Runs the command to its end. */
export async function klutch(...args: string[]): Promise<{ code: number | NodeJS.Signals; out: string; err: string }> {
  const running = runKlutch(args);
  const code = await running.ended();
  return { code, out: running.out(), err: running.err() };
}

/** A folder that goes with the test. */
export async function scratchFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'klutch-cli-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}
