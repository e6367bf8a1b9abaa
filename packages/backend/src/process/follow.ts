import { type Clock, type Logger, pause } from '@klutch/kube';

/** A value that may change while the backend runs, such as the content of a file. */
export interface Rereadable<T> {
  /** What it was when the backend started. */
  readonly value: T;
  /** Reads it again. Absent: it cannot change, such as a value from the environment. */
  readonly read?: () => Promise<T>;
}

export interface Followed<T> {
  current(): T;
  /** What it was before it changed last; undefined when it never has. */
  previous(): T | undefined;
  /** Reads it now, and resolves with whether it has changed. Never rejects. */
  refresh(): Promise<boolean>;
  /** Resolves when the signal has aborted and nothing of it goes on. */
  readonly stopped: Promise<void>;
}

export interface FollowOptions<T> {
  /** What the log calls it. */
  readonly what: string;
  /** Milliseconds between two looks. */
  readonly everyMs: number;
  readonly clock: Clock;
  readonly log: Logger;
  readonly signal: AbortSignal;
  isSame(one: T, other: T): boolean;
  /** Called with every new value before it counts; when it throws, the old value stays. */
  onChange?(value: T): void;
}

/**
 * Keeps up with a value until the signal aborts. While it cannot be read or used, the old one stays, and the log says so
 * once. Files are read anew instead of watched: Kubernetes replaces the folder that a Secret volume shows.
 */
export function follow<T>({ value, read }: Rereadable<T>, options: FollowOptions<T>): Followed<T> {
  const { what, everyMs, clock, log, signal, isSame, onChange } = options;
  let current = value;
  let previous: T | undefined;
  let lastProblem: string | undefined;
  return { current: () => current, previous: () => previous, refresh, stopped: run() };

  async function run(): Promise<void> {
    if (read === undefined) return;
    while (!signal.aborted) {
      await pause(clock, everyMs, signal);
      if (!signal.aborted) await refresh();
    }
  }

  async function refresh(): Promise<boolean> {
    if (read === undefined) return false;
    try {
      const found = await read();
      const hasChanged = !isSame(found, current);
      if (hasChanged) onChange?.(found);
      lastProblem = undefined;
      if (!hasChanged) return false;
      [previous, current] = [current, found];
      log.info({ what }, 'uses a new value');
      return true;
    } catch (error) {
      const problem = error instanceof Error ? error.message : 'unknown';
      if (problem !== lastProblem) log.warn({ what, reason: problem }, 'new value cannot be used; the old one stays');
      lastProblem = problem;
      return false;
    }
  }
}
