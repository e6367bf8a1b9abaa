import { dnsSubdomainProblems, pathSegmentProblems, qualifiedNameProblems } from '../../metadata/name-rules.ts';
import type { ApiObject } from '../../objects/api-object.ts';
import { invalid, required } from '../../schema/fields/field-error.ts';
import type { FieldCause } from '../../status/status-error.ts';
import { ageSince } from '../../table/duration.ts';
import { column, nameColumn, wideColumn } from '../columns.ts';
import { defineKind } from '../define-kind.ts';
import { objectReference } from '../meta/references.ts';
import { always, int32, microTime, must, ptr, struct, text, time, value } from '../types/fields.ts';

const eventSource = struct('EventSource', 'Who reports an event.', {
  component: text('The program.'),
  host: text('Where it runs.'),
});

const eventSeries = struct('EventSeries', 'An event that goes on.', {
  count: int32('How often so far.'),
  lastObservedTime: microTime('When it was last seen.'),
});

const event = struct('Event', 'Something that happened to an object.', {
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

interface Event extends ApiObject {
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
  reportingComponent?: string;
  reportingInstance?: string;
}

function causes(object: Event): readonly FieldCause[] {
  const { namespace = '' } = object.metadata;
  return [
    ...(object.eventTime ? newStyleCauses(object, namespace) : oldStyleCauses(object, namespace)),
    ...dnsSubdomainProblems(namespace).map((problem) => invalid('namespace', namespace, problem)),
  ];
}

function wrongNamespace({ involvedObject }: Event): FieldCause {
  return invalid('involvedObject.namespace', involvedObject?.namespace ?? '', 'does not match event.namespace');
}

function oldStyleCauses(object: Event, namespace: string): readonly FieldCause[] {
  const about = object.involvedObject?.namespace ?? '';
  const matches = about === '' ? namespace === '' || namespace === 'default' : about === namespace;
  return matches ? [] : [wrongNamespace(object)];
}

/** Events that say when they were first seen must say more. */
function newStyleCauses(object: Event, namespace: string): readonly FieldCause[] {
  const { reportingComponent = '', reportingInstance = '', action = '', reason = '', message = '' } = object;
  const isAnywhere = namespace === 'default' || namespace === 'kube-system';
  return [
    ...(object.involvedObject?.namespace || isAnywhere ? [] : [wrongNamespace(object)]),
    ...(reportingComponent === '' ? [required('reportingComponent')] : []),
    ...qualifiedNameProblems(reportingComponent).map((problem) =>
      invalid('reportingComponent', reportingComponent, problem),
    ),
    ...lengthCauses('reportingInstance', reportingInstance, 128, true),
    ...lengthCauses('action', action, 128, true),
    ...lengthCauses('reason', reason, 128, true),
    ...lengthCauses('message', message, 1024, false),
  ];
}

function lengthCauses(field: string, content: string, limit: number, isRequired: boolean): readonly FieldCause[] {
  if (isRequired && content === '') return [required(field)];
  return Buffer.byteLength(content) > limit ? [invalid(field, '', `can have at most ${limit} characters`)] : [];
}

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

const about = (field: keyof NonNullable<Event['involvedObject']>) => (object: ApiObject) =>
  (object as Event).involvedObject?.[field] ?? '';

export const events = defineKind({
  group: '',
  type: event,
  resource: 'events',
  shortNames: ['ev'],
  columns: [
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
  ],
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
    nameProblems: pathSegmentProblems,
    validateCreate: (object) => causes(object),
    validateUpdate: (object) => causes(object),
  },
});
