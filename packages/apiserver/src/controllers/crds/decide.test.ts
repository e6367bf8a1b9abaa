import { describe, expect, it } from 'vitest';
import { cleanupFinalizer, type Crd, type CrdCondition } from '../../crd/crd.ts';
import { testCrd } from '../testing/test-types.ts';
import { type CrdStep, decideCrd, type SeenCrd } from './decide.ts';

const NOW = '2026-01-02T00:00:00Z';
const BEFORE = '2026-01-01T00:00:00Z';

const condition = (type: string, status: 'True' | 'False', reason: string): CrdCondition => ({
  type,
  status,
  reason,
  message: '',
  lastTransitionTime: BEFORE,
});

const established = condition('Established', 'True', 'InitialNamesAccepted');
const terminating = (reason: string) =>
  condition('Terminating', reason.endsWith('Completed') ? 'False' : 'True', reason);

function things(conditions: CrdCondition[] = [], metadata: Crd['metadata'] = {}): Crd {
  const crd = testCrd('ex.io', { plural: 'things', kind: 'Thing' });
  return { ...crd, metadata: { ...crd.metadata, ...metadata }, status: { conditions, acceptedNames: crd.spec.names } };
}

const deleted = (conditions: CrdCondition[], ...finalizers: string[]): Crd =>
  things(conditions, { deletionTimestamp: BEFORE, finalizers });

const decide = (crd: Crd, more: Partial<SeenCrd> = {}): CrdStep =>
  decideCrd({ crd, others: [], instances: 0, isBuiltIn: false, now: NOW, ...more });

/** The condition of a type in the status that a step writes. */
const written = (step: CrdStep, type: string) =>
  step.do === 'writeStatus' ? step.status.conditions?.find((candidate) => candidate.type === type) : undefined;

describe('the life of a custom resource definition', () => {
  it('begins with names that nobody has', () => {
    const step = decide(testCrd('ex.io', { plural: 'things', kind: 'Thing' }));
    expect(written(step, 'NamesAccepted')).toMatchObject({ status: 'True', lastTransitionTime: NOW });
    expect(written(step, 'Established')).toMatchObject({ status: 'True', reason: 'InitialNamesAccepted' });
  });

  it('waits for names that another one has', () => {
    const other = things([established]);
    const crd = testCrd('ex.io', { plural: 'objects', kind: 'Thing' });
    const step = decide(crd, { others: [other] });
    expect(written(step, 'NamesAccepted')).toMatchObject({ status: 'False', reason: 'ListKindConflict' });
    expect(written(step, 'Established')).toMatchObject({ status: 'False', reason: 'NotAccepted' });
  });

  it('has nothing more to do once established', () => {
    const step = decide(testCrd('ex.io', { plural: 'things', kind: 'Thing' }));
    if (step.do !== 'writeStatus') throw new Error(step.do);
    const crd = { ...testCrd('ex.io', { plural: 'things', kind: 'Thing' }), status: step.status };
    expect(decide(crd)).toEqual({ do: 'nothing' });
    expect(decide(crd, { instances: 5 })).toEqual({ do: 'nothing' });
  });
});

describe('the end of a custom resource definition', () => {
  it('is none of our business without our finalizer', () => {
    expect(decide(deleted([established], 'other'), { instances: 1 })).toEqual({ do: 'nothing' });
  });

  it.each([0, 1])('begins by saying so, with %i instances', (instances) => {
    const step = decide(deleted([established, terminating('InstanceDeletionPending')], cleanupFinalizer), {
      instances,
    });
    expect(written(step, 'Terminating')).toEqual({
      type: 'Terminating',
      status: 'True',
      reason: 'InstanceDeletionInProgress',
      message: 'CustomResource deletion is in progress',
      lastTransitionTime: BEFORE,
    });
    expect(written(step, 'Established')).toEqual(established);
  });

  const inProgress = terminating('InstanceDeletionInProgress');

  it('goes on with the instances', () => {
    const step = decide(deleted([established, inProgress], cleanupFinalizer), { instances: 3 });
    expect(step).toEqual({ do: 'deleteInstances' });
  });

  it('comes when no instances are left', () => {
    expect(decide(deleted([established, inProgress], cleanupFinalizer))).toEqual({ do: 'release' });
  });

  it('says that all is done when somebody else holds the definition', () => {
    const step = decide(deleted([established, inProgress], 'other', cleanupFinalizer));
    expect(written(step, 'Terminating')).toEqual({
      type: 'Terminating',
      status: 'False',
      reason: 'InstanceDeletionCompleted',
      message: 'removed all instances',
      lastTransitionTime: NOW,
    });
    const completed = terminating('InstanceDeletionCompleted');
    expect(decide(deleted([established, completed], 'other', cleanupFinalizer))).toEqual({ do: 'release' });
  });

  it('begins again when instances turn up after all', () => {
    const completed = terminating('InstanceDeletionCompleted');
    const step = decide(deleted([established, completed], 'other', cleanupFinalizer), { instances: 1 });
    expect(written(step, 'Terminating')?.reason).toBe('InstanceDeletionInProgress');
  });

  it('leaves objects alone of a type that never was served', () => {
    const crd = deleted([inProgress], 'other', cleanupFinalizer);
    const step = decide(crd, { instances: 3 });
    expect(written(step, 'Terminating')).toMatchObject({ status: 'False', reason: 'NeverEstablished' });
    expect(decide(deleted([inProgress], cleanupFinalizer), { instances: 3 })).toEqual({ do: 'release' });
  });

  it('leaves objects alone of a type that the server has by itself', () => {
    const crd = deleted([established, inProgress], 'other', cleanupFinalizer);
    const step = decide(crd, { instances: 3, isBuiltIn: true });
    expect(written(step, 'Terminating')).toMatchObject({ status: 'False', reason: 'OverlappingBuiltInResource' });
  });
});
