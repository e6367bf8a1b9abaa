import type { ConditionState } from '@klutch/api';
import { describe, expect, it } from 'vitest';
import { claimWith } from './claim.fixture.ts';
import { createClaimStatus } from './claim-status.ts';

function statusWithBoard() {
  const said = new Map<string, ConditionState>();
  const status = createClaimStatus('secrets', {
    report: ({ uid }, state) => void said.set(uid, state),
    withdraw: ({ uid }) => void said.delete(uid),
    reportProvider: () => {},
  });
  const reasonOf = (uid = 'binding-1') => said.get(uid)?.reason ?? said.get(uid)?.status;
  return { status, said, reasonOf };
}

describe('the status of claims', () => {
  it('is not told before something is known, then it is', () => {
    const { status, said, reasonOf } = statusWithBoard();
    status.take([claimWith()]);
    expect(said.size).toBe(0);
    status.open();
    expect(reasonOf()).toBe('True');
  });

  it('names a claim that cannot be served, on its binding only, and serves the others', () => {
    const { status, said, reasonOf } = statusWithBoard();
    status.take([claimWith(), claimWith({ autoAdopt: true }, 'binding-2')]);
    status.open();
    expect([reasonOf('binding-1'), reasonOf('binding-2')]).toEqual(['True', 'ClaimUnavailable']);
    expect(said.get('binding-2')?.message).toContain('autoAdopt');
    expect(status.rules).toHaveLength(1);
  });

  it('is worse for a claim that the binding needs', () => {
    const { status, said } = statusWithBoard();
    status.take([claimWith({ required: true })]);
    status.open();
    status.setUnavailable('The app cluster does not serve secrets v1.');
    expect(said.get('binding-1')).toMatchObject({ severity: 'Error', reason: 'ClaimUnavailable' });
  });

  it('recovers by itself, and shows the weightier of two problems', () => {
    const { status, said, reasonOf } = statusWithBoard();
    status.take([claimWith()]);
    status.open();
    status.note('team-a/b', { kind: 'held', message: 'Held.' });
    status.note('team-a/a', { kind: 'conflict', bindings: ['binding-1'], message: 'Conflict.' });
    expect(said.get('binding-1')?.message).toBe('secrets team-a/a: Conflict.');
    status.setUnwatched(['secrets may not be read on the app cluster.']);
    expect(reasonOf()).toBe('ClaimUnavailable');
    status.setUnwatched([]);
    status.note('team-a/a', undefined);
    expect(reasonOf()).toBe('OrphansHeld');
    status.note('team-a/b', { kind: 'refused', message: 'Quota.' });
    expect(reasonOf()).toBe('ClaimRefused');
    status.note('team-a/b', undefined);
    expect(reasonOf()).toBe('True');
  });

  it('leaves a conflict to the bindings whose claims it is about', () => {
    const { status, reasonOf } = statusWithBoard();
    status.take([claimWith(), claimWith({}, 'binding-2')]);
    status.open();
    status.note('team-a/a', { kind: 'conflict', bindings: ['binding-2'], message: 'Conflict.' });
    expect([reasonOf('binding-1'), reasonOf('binding-2')]).toEqual(['True', 'ClaimConflict']);
  });

  it('is withdrawn from a binding that claims nothing any more', () => {
    const { status, said } = statusWithBoard();
    status.take([claimWith(), claimWith({}, 'binding-2')]);
    status.open();
    status.take([claimWith({}, 'binding-2')]);
    expect([...said.keys()]).toEqual(['binding-2']);
  });
});
