import { readFileSync } from 'node:fs';

/** Names one process for good: a process id alone is reused by the system. */
export interface ProcessIdentity {
  readonly pid: number;
  /** The start time the kernel reports, in ticks; 0 where the system has no /proc. */
  readonly startTicks: number;
}

/** The identity of the calling process. */
export function ownIdentity(): ProcessIdentity {
  return { pid: process.pid, startTicks: startTicksOf(process.pid) ?? 0 };
}

/** Whether that very process still runs; another one that inherited its id does not count. */
export function isAlive(identity: ProcessIdentity): boolean {
  if (identity.startTicks !== 0) return startTicksOf(identity.pid) === identity.startTicks;
  return answersSignals(identity.pid);
}

function startTicksOf(pid: number): number | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The second field is the program's name in parentheses and may itself hold spaces and parentheses.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const [state] = fields;
    return state === 'Z' || state === 'X' ? undefined : Number(fields[19]);
  } catch {
    return undefined;
  }
}

function answersSignals(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
