import { readFile } from 'node:fs/promises';

/** A process. The start time tells it from a later one with the same id; it is missing where the system does not say. */
export interface ProcessIdentity {
  readonly pid: number;
  readonly startedAt?: string;
}

/** This process. */
export async function ownIdentity(): Promise<ProcessIdentity> {
  return { pid: process.pid, startedAt: await startTimeOf(process.pid) };
}

/** Whether a process is still there. When in doubt it is. */
export async function isRunning({ pid, startedAt }: ProcessIdentity): Promise<boolean> {
  if (!exists(pid)) return false;
  const now = await startTimeOf(pid);
  return startedAt === undefined || now === undefined || startedAt === now;
}

function exists(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // A process of another user exists, too.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/** Boot of the machine, and clock ticks since then. */
async function startTimeOf(pid: number): Promise<string | undefined> {
  try {
    const [boot, stat] = await Promise.all([
      readFile('/proc/sys/kernel/random/boot_id', 'utf8'),
      readFile(`/proc/${pid}/stat`, 'utf8'),
    ]);
    // The name of the program comes second and may contain anything, but no parenthesis comes after it.
    const ticks = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
    return `${boot.trim()}/${ticks}`;
  } catch {
    return undefined;
  }
}
