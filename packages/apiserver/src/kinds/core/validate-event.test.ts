import { describe, expect, it } from 'vitest';
import type { Event } from './event-type.ts';
import { changedEventCauses, completeEventCauses, eventCauses } from './validate-event.ts';

const event = (fields: Partial<Event> = {}): Event => ({
  apiVersion: 'v1',
  kind: 'Event',
  metadata: { name: 'e', namespace: 'n' },
  involvedObject: { namespace: 'n', kind: 'ConfigMap', name: 'x' },
  ...fields,
});
const complete = event({
  eventTime: '2024-01-02T03:04:05.678901Z',
  type: 'Normal',
  reportingComponent: 'x.io/c',
  reportingInstance: 'i',
  action: 'Test',
  reason: 'Tested',
});
const texts = (causes: readonly { readonly field: string; readonly message: string }[]) =>
  causes.map(({ field, message }) => `${field}: ${message}`);

describe('an event', () => {
  it.each([
    ['old', event()],
    ['new', complete],
  ])('of the %s form is fine', (_, sent) => {
    expect(eventCauses(sent)).toEqual([]);
  });

  it('is about something in its namespace', () => {
    expect(texts(eventCauses(event({ involvedObject: { namespace: 'elsewhere' } })))).toEqual([
      'involvedObject.namespace: Invalid value: "elsewhere": does not match event.namespace',
    ]);
  });

  it('of the new form says who reports it, under the name of its API', () => {
    const sent = { ...complete, reportingComponent: '', reportingInstance: '' };

    expect(texts(eventCauses(sent, 'reportingController')).slice(0, 1)).toEqual([
      'reportingController: Required value',
    ]);
    expect(texts(eventCauses(sent)).at(-1)).toBe('reportingInstance: Required value');
  });
});

describe('an event of its own group', () => {
  it('is complete', () => {
    expect(completeEventCauses(complete)).toEqual([]);
    expect(texts(completeEventCauses(event({ type: 'Loud' })))).toEqual([
      'eventTime: Required value',
      'type: Invalid value: "": has invalid value: Loud',
    ]);
  });

  it('has nothing of the old form', () => {
    const sent = { ...complete, count: 1, firstTimestamp: 't', lastTimestamp: 't', source: { host: 'h' } };

    expect(texts(completeEventCauses(sent))).toEqual(
      ['firstTimestamp', 'lastTimestamp', 'count', 'source'].map(
        (field) => `${field}: Invalid value: "": needs to be unset`,
      ),
    );
  });

  it('goes on at least twice', () => {
    expect(texts(completeEventCauses({ ...complete, series: { count: 1 } }))).toEqual([
      'series.count: Invalid value: "": should be at least 2',
      'series.lastObservedTime: Required value',
    ]);
  });

  it('may go on, but not become another', () => {
    const series = { count: 2, lastObservedTime: '2024-01-02T03:04:06.000000Z' };

    expect(changedEventCauses({ ...complete, series }, complete)).toEqual([]);
    expect(texts(changedEventCauses({ ...complete, action: 'Other', reportingComponent: 'y.io/d' }, complete))).toEqual(
      [
        'action: Invalid value: "Other": field is immutable',
        'reportingController: Invalid value: "y.io/d": field is immutable',
      ],
    );
  });
});
