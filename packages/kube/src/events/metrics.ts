/** What became of an event: a new Event, one more count of an existing one, or nothing. */
export type EventOutcome = 'created' | 'counted' | 'filtered' | 'dropped';

/** Where an event recorder reports to. */
export interface EventMetrics {
  eventRecorded(outcome: EventOutcome): void;
}
