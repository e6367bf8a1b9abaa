import { describe, expect, it } from 'vitest';
import type { Held, Waiting } from './decision.ts';
import { createTroubles } from './summary.ts';

const waiting = (isVisible: boolean, isNamespace = true): Waiting => ({
  reason: 'NamespaceNotReady',
  message: 'Namespace "a" has no counterpart.',
  since: 0,
  isVisible,
  isWarning: false,
  isNamespace,
});

function troublesWith(...held: readonly Held[]) {
  const troubles = createTroubles();
  for (const [index, reason] of held.entries()) troubles.note(`a/${index}`, { held: reason });
  return troubles;
}

describe('what the binding says of its objects', () => {
  it('is nothing but True while all is well', () => {
    const troubles = troublesWith();
    troubles.note('a/x', {});
    troubles.note('a/y', { waiting: waiting(false) });
    troubles.note('a/z', { waiting: waiting(true, false) });
    expect(troubles.condition(undefined)).toEqual({ type: 'InstancesSynced', status: 'True' });
  });

  it.each<[Held, string, RegExp]>([
    ['braked', 'OrphansHeld', /1 object \("a\/0"\).*Restore.*Delete/],
    ['crdNewer', 'OrphansHeld', /nothing is deleted/],
    ['unknownOrigin', 'OrphansHeld', /nothing is deleted/],
    ['setBack', 'AppClusterSetBack', /nothing is deleted: .*restored from a backup.*Restore.*Delete/],
    ['otherCluster', 'OtherAppCluster', /left alone.*take-over-from/],
    ['notTakenOver', 'OtherAppCluster', /takes over.*Restore/],
    ['strange', 'OtherAppCluster', /same identity/],
  ])('explains %s and what to do', (held, reason, message) => {
    const condition = troublesWith(held).condition(undefined);
    expect(condition).toMatchObject({ status: 'False', severity: 'Warning', reason });
    expect(condition.message).toMatch(message);
  });

  it('names the app cluster that has the place of a namespace, even if nothing is to go there', () => {
    const troubles = troublesWith();
    troubles.noteNamespace('team-b', 'other-id');
    troubles.noteNamespace('team-a', 'other-id');
    const condition = troubles.condition(undefined);
    expect(condition).toMatchObject({ status: 'False', severity: 'Warning', reason: 'OtherAppCluster' });
    expect(condition.message).toMatch(/2 namespaces \("team-a" first\).*take-over-from of this binding to other-id/);

    troubles.noteNamespace('team-a', undefined);
    expect(troubles.condition(undefined).message).toContain('namespace "team-b"');
    troubles.noteNamespace('team-b', undefined);
    expect(troubles.condition(undefined).status).toBe('True');
  });

  it('tells the gravest first', () => {
    const troubles = troublesWith('braked', 'setBack', 'otherCluster');
    troubles.note('a/w', { waiting: waiting(true) });
    const reasons = [troubles.condition('It is gone.').reason];
    for (const key of ['a/2', 'a/1', 'a/0']) {
      reasons.push(troubles.condition(undefined).reason);
      troubles.note(key, {});
    }
    reasons.push(troubles.condition(undefined).reason);
    expect(reasons).toEqual([
      'ResourceUnavailable',
      'OtherAppCluster',
      'AppClusterSetBack',
      'OrphansHeld',
      'NamespacesWaiting',
    ]);
  });

  it('counts', () => {
    const troubles = troublesWith('braked', 'braked', 'braked');
    expect(troubles.held).toBe(3);
    expect(troubles.condition(undefined).message).toContain('3 objects ("a/0" first)');
    expect(troubles.keys()).toEqual(['a/0', 'a/1', 'a/2']);
  });
});
