import { pathSegmentProblems } from '../../metadata/name-rules.ts';
import type { ApiObject } from '../../objects/api-object.ts';
import type { PrinterColumn } from '../../registry/served-resource.ts';
import { ageSince } from '../../table/duration.ts';
import { column, nameColumn, wideColumn } from '../columns.ts';
import { defineKind } from '../define-kind.ts';
import type { Event } from './event-type.ts';
import { eventCauses } from './validate-event.ts';

function firstSeen({ firstTimestamp, eventTime }: Event, now: Date): string {
  return ageSince(firstTimestamp ?? eventTime, now);
}

function lastSeen(object: Event, now: Date): string {
  const { series, lastTimestamp } = object;
  if (series) return ageSince(series.lastObservedTime, now);
  return lastTimestamp ? ageSince(lastTimestamp, now) : firstSeen(object, now);
}

function target({ involvedObject: { kind = '', name = '' } = {} }: Event): string {
  return name === '' ? kind.toLowerCase() : `${kind.toLowerCase()}/${name}`;
}

function sourceText({ source = {}, reportingComponent, reportingInstance }: Event): string {
  const parts = [source.component || reportingComponent, source.host || reportingInstance];
  return parts.filter((part) => part).join(', ');
}

/** A field of the object that an event is about, from the event as it is stored. */
export const about = (field: keyof NonNullable<Event['involvedObject']>) => (object: ApiObject) =>
  (object as Event).involvedObject?.[field] ?? '';

/** Columns of events in the core form. */
export const eventColumns: readonly PrinterColumn[] = [
  column('Last Seen', 'When it last happened.', lastSeen),
  column('Type', 'Normal or Warning.', ({ type }: Event) => type ?? ''),
  column('Reason', 'Why, as one word.', ({ reason }: Event) => reason ?? ''),
  column('Object', 'What it happened to.', target),
  wideColumn('Subobject', 'Which part of it.', ({ involvedObject }: Event) => involvedObject?.fieldPath ?? ''),
  wideColumn('Source', 'Who says so.', sourceText),
  column('Message', 'What happened.', ({ message }: Event) => (message ?? '').trim()),
  wideColumn('First Seen', 'When it first happened.', firstSeen),
  wideColumn('Count', 'How often it happened.', ({ series, count }: Event) =>
    series ? (series.count ?? 0) : count || 1,
  ),
  { ...nameColumn, priority: 1 },
];

export const events = defineKind({
  group: '',
  resource: 'events',
  columns: eventColumns,
  selectableFields: {
    'involvedObject.kind': about('kind'),
    'involvedObject.namespace': about('namespace'),
    'involvedObject.name': about('name'),
    'involvedObject.uid': about('uid'),
    'involvedObject.apiVersion': about('apiVersion'),
    'involvedObject.resourceVersion': about('resourceVersion'),
    'involvedObject.fieldPath': about('fieldPath'),
    reason: (object) => (object as Event).reason ?? '',
    reportingComponent: (object) => (object as Event).reportingComponent ?? '',
    source: (object) => (object as Event).source?.component || (object as Event).reportingComponent || '',
    type: (object) => (object as Event).type ?? '',
  },
  strategy: {
    createOnUpdate: true,
    nameProblems: pathSegmentProblems,
    validateCreate: (object) => eventCauses(object),
    validateUpdate: (object) => eventCauses(object),
  },
});
