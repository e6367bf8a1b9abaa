import type { Logger } from '../log/logger.ts';

/** What a reconcile gets besides its key. */
export interface ReconcileContext {
  /** Aborts when the reconcile takes too long, and when the controller stops and the grace is over. */
  readonly signal: AbortSignal;
  /** Adds controller, key and `reconcileId` to every line. */
  readonly log: Logger;
  /** Unique per call, to be passed on to whatever should be found again in logs. */
  readonly reconcileId: string;
  /** 1 for the first try, one more after each failure in a row. */
  readonly attempt: number;
}

export interface ReconcileResult {
  /** Milliseconds after which to reconcile the key again although nothing changed; must be positive. */
  readonly requeueAfter: number;
}

/**
 * Brings one key to its wanted state. Returning nothing means done, a result asks for another look later, an error for
 * another try after back-off, a `TerminalError` for none.
 */
export type Reconcile<K extends string = string> = (
  key: K,
  context: ReconcileContext,
) => Promise<ReconcileResult | void> | ReconcileResult | void;
