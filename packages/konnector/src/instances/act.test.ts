import { silentLogger, type UnknownObject } from '@klutch/kube';
import { expect, it } from 'vitest';
import { noMetrics } from '../process/metrics.ts';
import { act, type Hands } from './act.ts';
import { createWritten } from './written.ts';

const place = { namespace: 'service', name: 'w' };
const copy: UnknownObject = {
  apiVersion: 'example.org/v1',
  kind: 'Widget',
  metadata: { ...place, uid: 'copy', resourceVersion: '7' },
};

it('a copy that was deleted is not taken for one that no watch has told of yet', async () => {
  const writtenCopies = createWritten({ now: () => 0 });
  writtenCopies.put('service/w', copy);
  const hands = {
    controlPlane: { delete: async () => undefined },
    memory: { change: () => {} },
    writtenCopies,
    metrics: noMetrics,
    now: () => 0,
  } as unknown as Hands;
  const task = {
    key: 'team/w',
    originalUid: 'original',
    place,
    signal: new AbortController().signal,
    log: silentLogger,
  };

  await act({ do: 'deleteCopy', copy, exactly: false }, task, hands);

  // The cache was listed after the deletion, and will never show it.
  expect(writtenCopies.newest('service/w', undefined, true)).toBeUndefined();
});
