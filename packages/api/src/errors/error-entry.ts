/** What kind of failure a command reports; each has an exit code of its own. */
export type ExitClass = 'usage' | 'authentication' | 'authorisation' | 'timeout' | 'conflict' | 'declined' | 'remote';

/** What is known about an error before it happens. */
export interface ErrorEntry {
  /** The situation the code stands for. */
  readonly meaning: string;
  /** What the person who meets it should do. */
  readonly remedy: string;
  /** Status with which the backend answers; absent when the error never travels over HTTP. */
  readonly httpStatus?: number;
  readonly exit: ExitClass;
}
