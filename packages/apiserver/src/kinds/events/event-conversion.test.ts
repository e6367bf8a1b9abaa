import { describe, expect, it } from 'vitest';
import type { ApiObject } from '../../objects/api-object.ts';
import { fromCoreEvent, toCoreEvent } from './event-conversion.ts';

const metadata = { name: 'e', namespace: 'n' };
const inCore: ApiObject = {
  kind: 'Event',
  apiVersion: 'v1',
  metadata,
  involvedObject: { kind: 'ConfigMap', name: 'x', namespace: 'n' },
  reason: 'Tested',
  message: 'a test',
  source: { component: 'tester' },
  firstTimestamp: '2024-01-02T03:04:05Z',
  lastTimestamp: '2024-01-02T03:04:06Z',
  count: 2,
  type: 'Normal',
  eventTime: null,
  series: { count: 2, lastObservedTime: '2024-01-02T03:04:05.000000Z' },
  action: 'Test',
  related: { kind: 'Pod' },
  reportingComponent: 'x.io/c',
  reportingInstance: 'i',
};
const inGroup: ApiObject = {
  kind: 'Event',
  apiVersion: 'events.k8s.io/v1',
  metadata,
  eventTime: null,
  series: { count: 2, lastObservedTime: '2024-01-02T03:04:05.000000Z' },
  reportingController: 'x.io/c',
  reportingInstance: 'i',
  action: 'Test',
  reason: 'Tested',
  regarding: { kind: 'ConfigMap', name: 'x', namespace: 'n' },
  related: { kind: 'Pod' },
  note: 'a test',
  type: 'Normal',
  deprecatedSource: { component: 'tester' },
  deprecatedFirstTimestamp: '2024-01-02T03:04:05Z',
  deprecatedLastTimestamp: '2024-01-02T03:04:06Z',
  deprecatedCount: 2,
};

describe('an event', () => {
  it('has other words in its own group', () => {
    expect(JSON.stringify(fromCoreEvent(inCore))).toBe(JSON.stringify(inGroup));
  });

  it('is stored in the words of the core group', () => {
    expect(toCoreEvent(inGroup)).toEqual(inCore);
  });

  it('shows who reports it only in the core group when nobody does', () => {
    const bare = { kind: 'Event', apiVersion: 'v1', metadata, reportingComponent: '', reportingInstance: '' };

    expect(fromCoreEvent(bare)).toEqual({ kind: 'Event', apiVersion: 'events.k8s.io/v1', metadata });
    expect(toCoreEvent(fromCoreEvent(bare))).toEqual(bare);
  });
});
