export interface EnqueueOptions {
  /** Higher goes first. Default 0. */
  readonly priority?: number;
  /** Milliseconds to wait before. Default 0. */
  readonly afterMs?: number;
}

export type Enqueue<K extends string = string> = (key: K, options?: EnqueueOptions) => void;

/** Something that knows which keys need a look: an informer's changes, a ticker, a channel between controllers. */
export interface Source<K extends string = string> {
  /**
   * Begins to enqueue keys and goes on until the signal aborts. Resolves when everything known at the start has been
   * enqueued; rejects when that cannot be had, which ends the controller.
   */
  start(enqueue: Enqueue<K>, signal: AbortSignal): Promise<void>;
}
