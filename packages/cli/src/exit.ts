import type { ExitClass } from '@klutch/api';

/** Exit code of each class of failure; scripts may rely on them. 0 is success, 1 is a failure of no known class. */
export const exitCodes = {
  usage: 2,
  authentication: 3,
  authorisation: 4,
  timeout: 5,
  conflict: 6,
  declined: 7,
  remote: 8,
} as const satisfies Readonly<Record<ExitClass, number>>;

/** Exit code of a failure without a class. */
export const UNCLASSIFIED = 1;

/** Exit code of a process that a signal has ended, as shells report it. */
export function exitCodeOfSignal(signal: EndingSignal): number {
  return 128 + { SIGHUP: 1, SIGINT: 2, SIGTERM: 15 }[signal];
}

/** Signals with which users, terminals and supervisors ask a command to end. */
export type EndingSignal = 'SIGHUP' | 'SIGINT' | 'SIGTERM';
