import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Condition } from '../kinds/condition.ts';
import { anyCondition, anyState } from './arbitrary-condition.ts';
import {
  byImportance,
  type ConditionState,
  falseCondition,
  findCondition,
  isConditionTrue,
  isSameState,
  setCondition,
  trueCondition,
  unknownCondition,
} from './set-condition.ts';

const earlier = '2026-01-01T00:00:00Z';
const now = new Date('2026-01-31T12:00:00.987Z');
const nowInSeconds = '2026-01-31T12:00:00Z';

describe('setting a condition', () => {
  it('adds it to an empty or missing list with the time in whole seconds', () => {
    const expected = [{ type: 'SecretValid', status: 'True', lastTransitionTime: nowInSeconds }];

    expect(setCondition(undefined, trueCondition('SecretValid'), now)).toEqual(expected);
    expect(setCondition([], trueCondition('SecretValid'), now)).toEqual(expected);
  });

  it('keeps the time while the state stays', () => {
    const state = falseCondition('Connected', 'Error', 'APIServiceExportNotFound', 'There is no export.');
    const before: Condition[] = [{ ...state, lastTransitionTime: earlier }];

    expect(setCondition(before, state, now)).toEqual(before);
  });

  it.each<[string, Partial<ConditionState>]>([
    ['status', { status: 'Unknown' }],
    ['reason', { reason: 'Other' }],
    ['severity', { severity: 'Warning' }],
    ['message', { message: 'Other.' }],
  ])('moves the time when the %s changes', (_, change) => {
    const state = falseCondition('Connected', 'Error', 'Why', 'Because.');
    const before: Condition[] = [{ ...state, lastTransitionTime: earlier }];

    const [after] = setCondition(before, { ...state, ...change }, now);

    expect(after).toEqual({ ...state, ...change, lastTransitionTime: nowInSeconds });
  });

  it('takes an empty text for an absent one, as Go does', () => {
    const before: Condition[] = [{ type: 'A', status: 'True', reason: '', message: '', lastTransitionTime: earlier }];

    expect(setCondition(before, trueCondition('A'), now)).toEqual([
      { type: 'A', status: 'True', lastTransitionTime: earlier },
    ]);
  });

  it('puts Ready first and sorts the others by type', () => {
    const types = ['SecretValid', 'Connected', 'Ready', 'Heartbeating', 'connected'];

    const all = types.reduce<readonly Condition[]>((list, type) => setCondition(list, trueCondition(type), now), []);

    expect(all.map(({ type }) => type)).toEqual(['Ready', 'Connected', 'Heartbeating', 'SecretValid', 'connected']);
  });

  it('leaves all other conditions as they are, and the given list too', () => {
    const before: readonly Condition[] = Object.freeze([
      { type: 'B', status: 'False', severity: 'Info', reason: 'R', message: 'm', lastTransitionTime: earlier },
      { type: 'A', status: 'True', lastTransitionTime: earlier },
    ] as const);

    const after = setCondition(before, unknownCondition('C', 'Why', 'Nobody knows.'), now);

    expect(after.slice(0, 2)).toEqual([before[1], before[0]]);
    expect(before.map(({ type }) => type)).toEqual(['B', 'A']);
  });

  it('changes nothing when repeated, whatever the conditions are', () => {
    fc.assert(
      fc.property(fc.array(anyCondition), anyState, (conditions, state) => {
        const once = setCondition(conditions, state, now);
        const twice = setCondition(once, state, new Date(now.getTime() + 60_000));

        expect(twice).toEqual(once);
      }),
    );
  });

  it('always gives a sorted list with exactly one condition of the type', () => {
    fc.assert(
      fc.property(fc.array(anyCondition), anyState, (conditions, state) => {
        const after = setCondition(conditions, state, now);

        expect(after.filter(({ type }) => type === state.type)).toHaveLength(1);
        expect([...after].sort(byImportance)).toEqual(after);
      }),
    );
  });
});

describe('looking at conditions', () => {
  const conditions: readonly Condition[] = [
    { type: 'Ready', status: 'True', lastTransitionTime: earlier },
    { type: 'Healthy', status: 'Unknown', lastTransitionTime: earlier },
  ];

  it('finds one by its type', () => {
    expect(findCondition(conditions, 'Healthy')).toBe(conditions[1]);
    expect(findCondition(conditions, 'Connected')).toBeUndefined();
    expect(findCondition(undefined, 'Ready')).toBeUndefined();
  });

  it('takes only a True that is there for true', () => {
    expect(isConditionTrue(conditions, 'Ready')).toBe(true);
    expect(isConditionTrue(conditions, 'Healthy')).toBe(false);
    expect(isConditionTrue(conditions, 'Connected')).toBe(false);
    expect(isConditionTrue(undefined, 'Ready')).toBe(false);
  });

  it('tells states of different types apart', () => {
    expect(isSameState(trueCondition('A'), trueCondition('A'))).toBe(true);
    expect(isSameState(trueCondition('A'), trueCondition('B'))).toBe(false);
  });
});
