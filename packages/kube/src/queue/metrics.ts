/** What a queue holds at this moment. */
export interface QueueState {
  /** Keys that could be taken now. */
  readonly ready: number;
  /** Keys waiting for their time. */
  readonly delayed: number;
  /** Keys taken and not yet done. */
  readonly processing: number;
  /** Seconds spent so far on keys not yet done, all together. Grows without end when a worker is stuck. */
  readonly unfinishedSeconds: number;
  /** Seconds spent so far on the key that was taken first among those not yet done. */
  readonly longestSeconds: number;
}

/** Where a work queue reports to. Queues are told apart by name only. */
export interface QueueMetrics {
  /** A queue exists whose state can be read at any time; the returned function ends that. */
  queueOpened(queue: string, state: () => QueueState): () => void;
  /** A key was added or became due. */
  queueAdded(queue: string): void;
  /** A key was added again after a failure. */
  queueRetried(queue: string): void;
  /** A key was taken after having been ready for this long. */
  queueWaited(queue: string, seconds: number): void;
  /** A key was done after this long. */
  queueWorked(queue: string, seconds: number): void;
}
