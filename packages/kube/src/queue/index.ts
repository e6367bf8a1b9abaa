export type { QueueMetrics, QueueState } from './metrics.ts';
export { type AddOptions, createWorkQueue, type WorkQueue, type WorkQueueOptions } from './work-queue.ts';
