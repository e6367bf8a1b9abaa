import type { StorageError } from '../storage-error.ts';
import type { Entry, StoredEvent } from '../types.ts';

/**
 * More than can be under way at once. After a crash or a failure the store counts on from this far ahead: a client may
 * have seen a revision that did not become safe, and must not take it for a later one of the same number.
 */
export const REVISIONS_PER_CRASH = 1_000_000;

/** Keeps events safe, in the order given. */
export interface Journal {
  append(event: StoredEvent): void;
  /** Waits until everything given is safe, and lets go of all resources. */
  close(): Promise<void>;
}

/** Whom a journal serves. */
export interface JournalOwner {
  /** Everything up to the revision is safe. */
  onDurable(revision: number): void;
  /** Nothing after the last durable revision is, or will be, safe. */
  onFailure(error: StorageError): void;
  /** What the failure was about is over: writes are safe again, and count on from the revision. */
  onRecovery(revision: number): void;
  /** All entries as of the durable revision. */
  capture(): State;
}

/** What a store holds at a revision. */
export interface State {
  readonly revision: number;
  readonly entries: readonly Entry[];
}

/** The journal of a store that lives in memory: everything is as safe as it will ever be at the end of the current turn. */
export function memoryJournal(owner: JournalOwner): Journal {
  let latest: number | undefined;
  const settle = () => {
    const revision = latest;
    latest = undefined;
    if (revision !== undefined) owner.onDurable(revision);
  };
  return {
    append(event) {
      if (latest === undefined) queueMicrotask(settle);
      latest = event.revision;
    },
    close: async () => settle(),
  };
}
