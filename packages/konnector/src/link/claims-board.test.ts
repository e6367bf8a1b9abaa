import { type ConditionState, falseCondition, trueCondition } from '@klutch/api';
import { describe, expect, it } from 'vitest';
import type { BindingBoard } from '../bindings/binding-board.ts';
import { shareClaimsSynced } from './claims-board.ts';

const binding = { name: 'widgets.example.org', namespace: 'klutch-bind', uid: '1' };
const well = trueCondition('ClaimsSynced');
const conflict = falseCondition('ClaimsSynced', 'Warning', 'ClaimConflict', 'Two owners.');
const missing = falseCondition('ClaimsSynced', 'Error', 'ClaimUnavailable', 'No such type.');

function open() {
  const shown = new Map<string, ConditionState>();
  const board: BindingBoard = {
    report: (_, state) => void shown.set(state.type, state),
    withdraw: (_, type) => void shown.delete(type),
    reportProvider: () => {},
  };
  return { shown, shared: shareClaimsSynced(board) };
}

describe('a condition that several parts speak about', () => {
  it('shows the worst of what they say', () => {
    const { shown, shared } = open();
    shared.boardFor('a').report(binding, well);
    shared.boardFor('b').report(binding, conflict);
    shared.boardFor('c').report(binding, missing);

    expect(shown.get('ClaimsSynced')).toEqual(missing);
    shared.boardFor('c').report(binding, well);
    expect(shown.get('ClaimsSynced')).toEqual(conflict);
    shared.boardFor('b').withdraw(binding, 'ClaimsSynced');
    expect(shown.get('ClaimsSynced')).toEqual(well);
  });

  it('disappears with the last of them', () => {
    const { shown, shared } = open();
    shared.boardFor('a').report(binding, well);
    shared.boardFor('a').withdraw(binding, 'ClaimsSynced');

    expect(shown.size).toBe(0);
  });

  it('no longer depends on what a part said that left', () => {
    const { shown, shared } = open();
    shared.boardFor('a').report(binding, conflict);
    shared.leave('a');
    expect(shown.get('ClaimsSynced')).toEqual(conflict);

    shared.boardFor('b').report(binding, well);
    expect(shown.get('ClaimsSynced')).toEqual(well);
  });

  it('lets everything else pass', () => {
    const { shown, shared } = open();
    shared.boardFor('a').report(binding, trueCondition('Other'));
    expect(shown.get('Other')).toEqual(trueCondition('Other'));

    shared.boardFor('a').withdraw(binding, 'Other');
    expect(shown.size).toBe(0);
  });
});
