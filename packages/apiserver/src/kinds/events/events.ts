import { apiVersionOf, bucketOf, type PrinterColumn } from '../../registry/served-resource.ts';
import { about, eventColumns } from '../core/events.ts';
import type { Event } from '../core/event-type.ts';
import { changedEventCauses, completeEventCauses, eventCauses } from '../core/validate-event.ts';
import { defineKind } from '../define-kind.ts';
import { fromCoreEvent, toCoreEvent } from './event-conversion.ts';

const core = { group: '', resource: 'events' };
const reporter = 'reportingController';

function inCoreWords({ value: cell, ...column }: PrinterColumn): PrinterColumn {
  return { ...column, value: (object, now) => cell?.(toCoreEvent(object), now) ?? null };
}

/** The events of the core group under other names. Both groups show the same objects. */
export const groupEvents = defineKind({
  group: 'events.k8s.io',
  resource: 'events',
  stored: {
    bucket: bucketOf(core),
    apiVersion: apiVersionOf({ group: '', version: 'v1' }),
    conversion: { toStored: toCoreEvent, fromStored: fromCoreEvent },
  },
  columns: eventColumns.map(inCoreWords),
  // Selectors look at objects as they are stored.
  selectableFields: {
    'regarding.kind': about('kind'),
    'regarding.namespace': about('namespace'),
    'regarding.name': about('name'),
    'regarding.uid': about('uid'),
    'regarding.apiVersion': about('apiVersion'),
    'regarding.resourceVersion': about('resourceVersion'),
    'regarding.fieldPath': about('fieldPath'),
    reason: (object) => (object as Event).reason ?? '',
    reportingController: (object) => (object as Event).reportingComponent ?? '',
    type: (object) => (object as Event).type ?? '',
  },
  strategy: {
    createOnUpdate: true,
    validateCreate: (object) => {
      const sent = toCoreEvent(object);
      return [...eventCauses(sent, reporter), ...completeEventCauses(sent)];
    },
    validateUpdate: (object, old) => {
      const sent = toCoreEvent(object);
      return [...eventCauses(sent, reporter), ...changedEventCauses(sent, toCoreEvent(old))];
    },
  },
});
