const brand = Symbol.for('klutch.kube.terminal-error');

/**
 * Thrown by a reconcile when trying again cannot help until something changes: the key is not retried and comes back
 * only when a source enqueues it.
 */
export class TerminalError extends Error {
  override readonly name = 'TerminalError';
  readonly [brand] = true;
}

/** True for a {@link TerminalError}, also one created by another copy of this package. */
export function isTerminalError(error: unknown): error is TerminalError {
  return typeof error === 'object' && error !== null && brand in error;
}
