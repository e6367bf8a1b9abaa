export type { EventNote } from './compose-event.ts';
export { createEventRecorder, type EventRecorder, type EventRecorderOptions } from './event-recorder.ts';
export type { EventMetrics, EventOutcome } from './metrics.ts';
export type { SpamFilterOptions } from './spam-filter.ts';
