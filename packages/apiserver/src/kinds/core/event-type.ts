import type { ApiObject } from '../../objects/api-object.ts';
import { objectReference } from '../meta/references.ts';
import { always, int32, microTime, must, ptr, struct, text, time, value } from '../types/fields.ts';

export const eventSource = struct('EventSource', 'Who reports an event.', {
  component: text('The program.'),
  host: text('Where it runs.'),
});

export const eventSeries = struct('EventSeries', 'An event that goes on.', {
  count: int32('How often so far.'),
  lastObservedTime: microTime('When it was last seen.'),
});

export const event = struct('Event', 'Something that happened to an object.', {
  involvedObject: must(value(objectReference, 'The object.')),
  reason: text('Why, as one word.'),
  message: text('What happened, for people.'),
  source: value(eventSource, 'Who says so.'),
  firstTimestamp: time('When it first happened.'),
  lastTimestamp: time('When it last happened.'),
  count: int32('How often it happened.'),
  type: text('Normal or Warning.'),
  eventTime: microTime('When it was first seen.'),
  series: ptr(eventSeries, 'How it goes on.'),
  action: text('What was done about it.'),
  related: ptr(objectReference, 'Another object it is about.'),
  reportingComponent: always(text('Controller that says so.')),
  reportingInstance: always(text('Which instance of the controller.')),
});

export interface Event extends ApiObject {
  involvedObject?: Partial<
    Record<'kind' | 'namespace' | 'name' | 'uid' | 'apiVersion' | 'resourceVersion' | 'fieldPath', string>
  >;
  reason?: string;
  message?: string;
  source?: { component?: string; host?: string };
  firstTimestamp?: string | null;
  lastTimestamp?: string | null;
  count?: number;
  type?: string;
  eventTime?: string | null;
  series?: { count?: number; lastObservedTime?: string | null };
  action?: string;
  related?: object;
  reportingComponent?: string;
  reportingInstance?: string;
}
