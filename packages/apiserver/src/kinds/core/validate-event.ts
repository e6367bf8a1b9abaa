import { isDeepStrictEqual } from 'node:util';
import { dnsSubdomainProblems, qualifiedNameProblems } from '../../metadata/name-rules.ts';
import { invalid, required } from '../../schema/fields/field-error.ts';
import type { FieldCause } from '../../status/status-error.ts';
import { invalidStruct } from '../struct-error.ts';
import { coreEvent, type Event } from './event-type.ts';

/**
 * What is wrong with an event, whichever API it came through.
 *
 * @param reporter what that API calls `reportingComponent`
 */
export function eventCauses(object: Event, reporter = 'reportingComponent'): readonly FieldCause[] {
  const { namespace = '' } = object.metadata;
  return [
    ...(object.eventTime ? newStyleCauses(object, namespace, reporter) : oldStyleCauses(object, namespace)),
    ...dnsSubdomainProblems(namespace).map((problem) => invalid('namespace', namespace, problem)),
  ];
}

/** What `events.k8s.io` asks for in a new event, besides {@link eventCauses}: all of it, and nothing of the old form. */
export function completeEventCauses(object: Event): readonly FieldCause[] {
  const { type = '', source = {} } = object;
  const old = {
    firstTimestamp: Boolean(object.firstTimestamp),
    lastTimestamp: Boolean(object.lastTimestamp),
    count: Boolean(object.count),
    source: Boolean(source.component || source.host),
  };
  return [
    ...seriesCauses(object),
    ...(object.eventTime ? [] : [required('eventTime')]),
    ...(type === 'Normal' || type === 'Warning' ? [] : [invalid('type', '', `has invalid value: ${type}`)]),
    ...Object.entries(old).flatMap(([field, isSet]) => (isSet ? [invalid(field, '', 'needs to be unset')] : [])),
  ];
}

/** What `events.k8s.io` lets nobody change: everything but how the event goes on. */
const FINAL = [...coreEvent.fields.keys()].filter((field) => field !== 'series');

/** What is wrong with a change that came through `events.k8s.io`, besides {@link eventCauses}. */
export function changedEventCauses(object: Event, old: Event): readonly FieldCause[] {
  return [
    ...(isDeepStrictEqual(object.series, old.series) ? [] : seriesCauses(object)),
    ...FINAL.filter((field) => !isDeepStrictEqual(object[field], old[field])).map((field) => finalCause(object, field)),
  ];
}

function finalCause(object: Event, field: string): FieldCause {
  const shown = field === 'reportingComponent' ? 'reportingController' : field;
  const value = object[field];
  const isStruct = typeof value === 'object' && value !== null;
  return isStruct ? invalidStruct(shown, value, 'field is immutable') : invalid(shown, value, 'field is immutable');
}

function seriesCauses({ series }: Event): readonly FieldCause[] {
  if (!series) return [];
  return [
    ...((series.count ?? 0) < 2 ? [invalid('series.count', '', 'should be at least 2')] : []),
    ...(series.lastObservedTime ? [] : [required('series.lastObservedTime')]),
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
function newStyleCauses(object: Event, namespace: string, reporter: string): readonly FieldCause[] {
  const { reportingComponent = '', reportingInstance = '', action = '', reason = '', message = '' } = object;
  const isAnywhere = namespace === 'default' || namespace === 'kube-system';
  return [
    ...(object.involvedObject?.namespace || isAnywhere ? [] : [wrongNamespace(object)]),
    ...(reportingComponent === '' ? [required(reporter)] : []),
    ...qualifiedNameProblems(reportingComponent).map((problem) => invalid(reporter, reportingComponent, problem)),
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
