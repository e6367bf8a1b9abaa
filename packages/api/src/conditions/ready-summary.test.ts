import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Condition } from '../kinds/condition.ts';
import { anyCondition } from './arbitrary-condition.ts';
import { readySummary, setReady } from './ready-summary.ts';
import {
  type ConditionState,
  falseCondition,
  findCondition,
  trueCondition,
  unknownCondition,
} from './set-condition.ts';

const then = '2026-01-01T00:00:00Z';
const now = new Date('2026-01-31T12:00:00Z');
const at = (...states: ConditionState[]): Condition[] =>
  states.map((state) => ({ ...state, lastTransitionTime: then }));

const error = falseCondition('Error', 'Error', 'Bad', 'It is bad.');
const warning = falseCondition('Warning', 'Warning', 'Odd', 'It is odd.');
const info = falseCondition('Info', 'Info', 'Wait', 'It takes time.');
const good = trueCondition('Good');
const unknown = unknownCondition('Unknown', 'Silence', 'Nobody knows.');
const unranked: ConditionState = { type: 'Plain', status: 'False', reason: 'No', message: 'No.' };

const ready = (rest: Omit<ConditionState, 'type'>): ConditionState => ({ type: 'Ready', ...rest });
const readyTrue = ready({ status: 'True' });

describe('the summary of conditions', () => {
  it.each<[string, ConditionState[], ConditionState]>([
    ['an error decides over all else', [unranked, unknown, good, info, warning, error], { ...error, type: 'Ready' }],
    ['a warning decides over the rest', [unranked, unknown, good, info, warning], { ...warning, type: 'Ready' }],
    ['an info makes it False although all else is True', [unranked, unknown, good, info], { ...info, type: 'Ready' }],
    ['True decides over Unknown', [unknown, good], readyTrue],
    ['True decides over a False without severity', [unranked, good], readyTrue],
    ['True alone', [good], readyTrue],
    ['Unknown alone', [unknown], ready({ status: 'Unknown', reason: 'Silence', message: 'Nobody knows.' })],
    ['Unknown decides over a False without severity', [unranked, unknown], { ...unknown, type: 'Ready' }],
    ['a False without severity is Unknown', [unranked], ready({ status: 'Unknown', reason: 'No', message: 'No.' })],
    [
      'the alphabetically first of a group speaks for it',
      [falseCondition('B', 'Error', 'RB', 'b'), falseCondition('A', 'Error', 'RA', 'a'), warning],
      ready({ status: 'False', severity: 'Error', reason: 'RA', message: 'a' }),
    ],
    [
      'nothing of a True condition is repeated',
      [{ type: 'Established', status: 'True', reason: 'InitialNamesAccepted', message: 'accepted' }],
      readyTrue,
    ],
  ])('%s', (_, states, expected) => {
    expect(readySummary(at(...states))).toEqual(expected);
    expect(readySummary(at(...[...states].reverse()))).toEqual(expected);
  });

  it('does not look at Ready itself', () => {
    const conditions = at(falseCondition('Ready', 'Error', 'Old', 'Old.'), good);

    expect(readySummary(conditions)).toEqual(readyTrue);
  });

  it('is absent without conditions other than Ready', () => {
    expect(readySummary(undefined)).toBeUndefined();
    expect(readySummary([])).toBeUndefined();
    expect(readySummary(at(falseCondition('Ready', 'Info', 'Pending', 'Pending')))).toBeUndefined();
  });

  it('neither depends on the order of conditions nor changes them', () => {
    fc.assert(
      fc.property(fc.uniqueArray(anyCondition, { selector: ({ type }) => type }), fc.nat(), (conditions, turn) => {
        const pivot = conditions.length === 0 ? 0 : turn % conditions.length;
        const turned = [...conditions.slice(pivot), ...conditions.slice(0, pivot)];
        const copy = structuredClone(conditions);

        expect(readySummary(turned)).toEqual(readySummary(conditions));
        expect(conditions).toEqual(copy);
      }),
    );
  });

  it('is True only if no other condition is False with a severity, and some are True', () => {
    fc.assert(
      fc.property(fc.array(anyCondition), (conditions) => {
        const others = conditions.filter(({ type }) => type !== 'Ready');
        const failing = others.some(({ status, severity }) => status === 'False' && severity !== undefined);
        const holding = others.some(({ status }) => status === 'True');

        expect(readySummary(conditions)?.status === 'True').toBe(holding && !failing);
      }),
    );
  });
});

describe('setting Ready', () => {
  it('puts the summary first', () => {
    expect(setReady(at(error, good), now)).toEqual([
      { ...error, type: 'Ready', lastTransitionTime: '2026-01-31T12:00:00Z' },
      { ...error, lastTransitionTime: then },
      { ...good, lastTransitionTime: then },
    ]);
  });

  it('leaves Ready alone when there is nothing to sum up', () => {
    const pending = at(falseCondition('Ready', 'Info', 'Pending', 'Pending'));

    expect(setReady(pending, now)).toEqual(pending);
    expect(setReady(undefined, now)).toEqual([]);
  });

  it('does not move its time while the summary stays', () => {
    fc.assert(
      fc.property(fc.array(anyCondition), (conditions) => {
        const once = setReady(conditions, now);
        const twice = setReady(once, new Date(now.getTime() + 60_000));

        expect(findCondition(twice, 'Ready')).toEqual(findCondition(once, 'Ready'));
      }),
    );
  });

  it('sums up a connection as the Go backend does', () => {
    const healthy = falseCondition('Healthy', 'Warning', 'HeartbeatTimeDrift', 'The clocks differ.');
    const conditions = at(healthy, trueCondition('SecretValid'), trueCondition('ValidVersion'));

    expect(setReady(conditions, now).map(({ type, status }) => `${type}=${status}`)).toEqual([
      'Ready=False',
      'Healthy=False',
      'SecretValid=True',
      'ValidVersion=True',
    ]);
  });
});
