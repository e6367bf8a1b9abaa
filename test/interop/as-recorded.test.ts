import { describe, expect, it } from 'vitest';
import { expectAsRecorded } from './as-recorded.ts';
import { createCast } from './cast.ts';
import type { RecordedRequest } from './recording.ts';

const cast = createCast({ '<tenant-namespace>': 'cluster-1' });
const recorded: RecordedRequest = {
  step: 'CLI binds',
  verb: 'update',
  uri: '/x',
  as: 'admin',
  agent: 'konnector/v0.0.0',
  status: 200,
  answer: {
    metadata: { name: 'w', namespace: '<tenant-namespace>', uid: '1', resourceVersion: '2' },
    spec: { size: 1 },
  },
};
const live = { metadata: { name: 'w', namespace: 'cluster-1', uid: 'a', resourceVersion: '9', managedFields: [] } };

describe('an answer', () => {
  it('is as recorded when only what differs from run to run is different', () => {
    expectAsRecorded({ recorded, status: 200, answer: { ...live, spec: { size: 1 } } }, cast);
  });

  it.each([
    ['another status', 409, { size: 1 }],
    ['another content', 200, { size: 2 }],
    ['a field more', 200, { size: 1, plan: 'p' }],
    ['a field less', 200, {}],
  ])('is not as recorded with %s', (_, status, spec) => {
    expect(() => expectAsRecorded({ recorded, status, answer: { ...live, spec } }, cast)).toThrow();
  });

  it('of which only the code was recorded is compared by that', () => {
    const brief = { ...recorded, answer: { kind: 'CustomResourceDefinition', code: 200 } };

    expectAsRecorded({ recorded: brief, status: 200, answer: live }, cast);
    expect(() => expectAsRecorded({ recorded: brief, status: 409, answer: live }, cast)).toThrow();
  });
});
