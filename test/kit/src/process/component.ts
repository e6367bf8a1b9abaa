import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import type { Writable } from 'node:stream';

import { KitError } from '../kit-error.ts';

/** What to run and where. */
export interface ComponentOptions {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** Takes both standard output and standard error; appended to, so that a restart keeps the history. */
  readonly logFile: string;
  /** Default: this process's environment. */
  readonly env?: NodeJS.ProcessEnv;
}

/** How a component ended. */
export interface ExitStatus {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** A process of a plane that cannot outlive the process which started it. */
export interface Component {
  readonly name: string;
  readonly pid: number;
  readonly logFile: string;
  /** Settles when the process has ended; never rejects. */
  readonly exited: Promise<ExitStatus>;
  /** Whether the process has not ended yet; a paused one still runs. */
  isRunning(): boolean;
  /** Sends a signal; does nothing once the process has ended. */
  signal(signal: NodeJS.Signals): void;
  /** Asks the process to end, insists after `graceMs` (default 3 000), and resolves when it is gone. */
  stop(options?: { readonly graceMs?: number }): Promise<void>;
  /** Ends the process at once, as a crash would, and resolves when it is gone. */
  kill(): Promise<void>;
}

/**
 * Starts a process under guard. The guard is a shell of its own that blocks on a pipe whose other end only this
 * process holds: when this process dies, however brutally, the pipe closes and the guard kills the component.
 */
export async function startComponent(options: ComponentOptions): Promise<Component> {
  const log = openSync(options.logFile, 'a');
  const child = spawn('/bin/sh', ['-c', GUARDED_EXEC, options.name, options.command, ...options.args], {
    cwd: options.cwd,
    env: options.env,
    // Its own process group, so that Ctrl-C in a terminal reaches us first and we stop the plane in order.
    detached: true,
    stdio: ['ignore', log, log, 'pipe'],
  });
  closeSync(log);
  const exited = exitOf(child);
  try {
    await once(child, 'spawn');
  } catch (cause) {
    throw new KitError('KLUTCH_KIT_START_FAILED', `cannot start ${options.name} through /bin/sh`, { cause });
  }
  return describeComponent(options, child, exited);
}

/**
 * Runs in /bin/sh: leaves the guard in the background and becomes the component, so that the child's process id is the
 * component's own. A line on descriptor 3 is a farewell (the component is known to have ended); the end of the
 * stream without one means that our process is gone. The component leads a process group, so its own children die too.
 */
const GUARDED_EXEC = '( read -r farewell <&3 || kill -s KILL -- -$$ ) & exec "$@" 3<&-';

function exitOf(child: ChildProcess): Promise<ExitStatus> {
  const guardPipe = child.stdio[3] as Writable | null;
  // The guard may be gone already (killed by hand, machine shutting down); nothing is lost by then.
  guardPipe?.on('error', () => undefined);
  return new Promise((resolve) => {
    child.once('error', () => resolve({ code: null, signal: null }));
    child.once('exit', (code, signal) => {
      guardPipe?.end('ended\n');
      resolve({ code, signal });
    });
  });
}

function describeComponent(options: ComponentOptions, child: ChildProcess, exited: Promise<ExitStatus>): Component {
  const isRunning = () => child.exitCode === null && child.signalCode === null;
  const signal = (name: NodeJS.Signals) => {
    if (isRunning()) child.kill(name);
  };
  const kill = async () => {
    signal('SIGKILL');
    await exited;
  };
  const stop = async ({ graceMs = 3_000 } = {}) => {
    signal('SIGTERM');
    // A paused process sees SIGTERM only when it runs again.
    signal('SIGCONT');
    const insist = setTimeout(() => signal('SIGKILL'), graceMs);
    await exited;
    clearTimeout(insist);
  };
  return { name: options.name, pid: child.pid ?? 0, logFile: options.logFile, exited, isRunning, signal, stop, kill };
}
