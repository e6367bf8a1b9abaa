export { type Backoff, backoffDelay } from './backoff.ts';
export { type Clock, pause, systemClock } from './clock.ts';
export { createManualClock, type ManualClock } from './manual-clock.ts';
export type { QueueMetrics, QueueState } from './metrics.ts';
export { type AddOptions, createWorkQueue, type WorkQueue, type WorkQueueOptions } from './work-queue.ts';
