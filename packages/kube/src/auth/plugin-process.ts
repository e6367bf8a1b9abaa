import { type ChildProcess, spawn } from 'node:child_process';
import type { Readable } from 'node:stream';
import { onAbort } from '../scope/on-abort.ts';
import type { Terminal } from './deps.ts';
import { codeOf } from './file-problem.ts';

/** What to run, and for how long at most. */
export interface PluginCommand {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  readonly timeoutMs: number;
  /** Standard input is inherited and stderr copied when given; otherwise there is no input. */
  readonly terminal?: Terminal;
}

/** How a run of a plugin ended. `stderr` is its last part. */
export type PluginRun =
  | { readonly end: 'exited'; readonly code: number; readonly stdout: string; readonly stderr: string }
  | { readonly end: 'killed'; readonly by: string; readonly stderr: string }
  | { readonly end: 'timeout' | 'too-much-output' | 'aborted'; readonly stderr: string }
  | { readonly end: 'not-started'; readonly code: string };

const MAX_STDOUT_BYTES = 1024 * 1024;
const KEPT_STDERR_BYTES = 4096;
const KILL_AFTER_MS = 1000;

/**
 * Runs a command to its end and never longer than allowed: at the time limit, when it writes too much or when `signal`
 * fires, it and what it started are ended. Resolves, and never rejects, once the process is gone.
 */
export function runPlugin(plugin: PluginCommand, signal: AbortSignal): Promise<PluginRun> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve({ end: 'aborted', stderr: '' });
    const child = start(plugin);
    if ('end' in child) return resolve(child);

    let cut: 'timeout' | 'too-much-output' | 'aborted' | undefined;
    let killTimer: NodeJS.Timeout | undefined;
    const stop = (reason: NonNullable<typeof cut>) => {
      if (cut) return;
      cut = reason;
      kill(child, plugin, 'SIGTERM');
      killTimer = setTimeout(() => {
        kill(child, plugin, 'SIGKILL');
        // A process that left the group may still hold the pipes; nobody reads them any more.
        child.stdout?.destroy();
        child.stderr?.destroy();
      }, KILL_AFTER_MS);
    };
    const limit = setTimeout(() => stop('timeout'), plugin.timeoutMs);
    const leave = onAbort(signal, () => stop('aborted'));

    const stdout = keepHead(child.stdout, MAX_STDOUT_BYTES, () => stop('too-much-output'));
    const stderr = keepTail(child.stderr, KEPT_STDERR_BYTES, plugin.terminal);
    let startError: unknown;
    child.once('error', (error) => {
      startError ??= error;
    });
    child.once('close', (code, by) => {
      clearTimeout(limit);
      clearTimeout(killTimer);
      leave();
      if (cut) resolve({ end: cut, stderr: stderr() });
      else if (startError !== undefined) resolve({ end: 'not-started', code: codeOf(startError) });
      else if (code === null) resolve({ end: 'killed', by: by ?? 'a signal', stderr: stderr() });
      else resolve({ end: 'exited', code, stdout: stdout(), stderr: stderr() });
    });
  });
}

function start(plugin: PluginCommand): ChildProcess | PluginRun {
  try {
    return spawn(plugin.command, plugin.args, {
      env: plugin.env,
      stdio: [plugin.terminal ? 'inherit' : 'ignore', 'pipe', 'pipe'],
      detached: ownGroup(plugin),
      windowsHide: true,
    });
  } catch (error) {
    // Node's message quotes the argument it does not like.
    return { end: 'not-started', code: codeOf(error) };
  }
}

/** A group of its own lets us end a plugin with all it started; with a terminal it must stay in the terminal's group. */
function ownGroup(plugin: PluginCommand): boolean {
  return plugin.terminal === undefined && process.platform !== 'win32';
}

function kill(child: ChildProcess, plugin: PluginCommand, signal: 'SIGTERM' | 'SIGKILL'): void {
  if (child.pid === undefined) return;
  if (!ownGroup(plugin)) {
    child.kill(signal);
    return;
  }
  try {
    process.kill(-child.pid, signal);
  } catch (error) {
    if (codeOf(error) !== 'ESRCH') throw error;
  }
}

function keepHead(stream: Readable | null, limit: number, onOverflow: () => void): () => string {
  const chunks: Buffer[] = [];
  let size = 0;
  stream?.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (size <= limit) chunks.push(chunk);
    else onOverflow();
  });
  return () => Buffer.concat(chunks).toString('utf8');
}

function keepTail(stream: Readable | null, limit: number, terminal: Terminal | undefined): () => string {
  let kept = Buffer.alloc(0);
  let complete = true;
  stream?.on('data', (chunk: Buffer) => {
    const all = Buffer.concat([kept, chunk]);
    complete &&= all.length <= limit;
    kept = all.subarray(-limit);
    terminal?.stderr.write(chunk);
  });
  // Half a word at the cut may be half a secret, which nobody recognises as one.
  return () => (complete ? kept.toString('utf8') : kept.toString('utf8').replace(/^\S*/, '…'));
}
