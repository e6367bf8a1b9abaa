import { type Condition, type ConditionState, falseCondition, trueCondition } from '@klutch/api';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { statusPatch } from './merge-status.ts';

const then = '2026-01-01T00:00:00Z';
const now = new Date('2026-01-31T12:00:00.123Z');
const soon = '2026-01-31T12:00:00Z';
const stored = (...states: ConditionState[]): Condition[] =>
  states.map((state) => ({ ...state, lastTransitionTime: then }));
const reports = (...states: ConditionState[]) => ({ conditions: new Map(states.map((state) => [state.type, state])) });

describe('the status of a binding', () => {
  const essential = ['Connected', 'Heartbeating', 'InformersSynced', 'SecretValid'].map(trueCondition);

  it('gets what was reported, summed up', () => {
    expect(statusPatch(undefined, reports(...essential), now)).toEqual({
      conditions: [trueCondition('Ready'), ...essential].map((state) => ({ ...state, lastTransitionTime: soon })),
    });
  });

  it('is not ready before everything was looked at', () => {
    expect(statusPatch(undefined, reports(trueCondition('Connected')), now)).toMatchObject({
      conditions: [{ type: 'Ready', status: 'False', severity: 'Info', reason: 'Pending' }, { type: 'Connected' }],
    });
    const broken = falseCondition('Connected', 'Error', 'Odd', 'It is odd.');
    expect(statusPatch(undefined, reports(broken), now)).toMatchObject({
      conditions: [{ type: 'Ready', status: 'False', reason: 'Odd' }, { type: 'Connected' }],
    });
  });

  it('is left alone when it says all that already', () => {
    const conditions = stored(trueCondition('Ready'), ...essential);

    expect(
      statusPatch(
        { conditions, providerPrettyName: 'P' },
        { ...reports(trueCondition('Connected')), prettyName: 'P' },
        now,
      ),
    ).toBeUndefined();
  });

  it('keeps what others say', () => {
    const foreign = stored(falseCondition('Foreign', 'Warning', 'Odd', 'It is odd.'));

    expect(statusPatch({ conditions: foreign }, reports(trueCondition('Connected')), now)).toMatchObject({
      conditions: [{ type: 'Ready', status: 'False', reason: 'Odd' }, { type: 'Connected' }, foreign[0]],
    });
  });

  it('loses what is taken back', () => {
    const conditions = stored(trueCondition('Ready'), trueCondition('ClaimsSynced'), ...essential);

    expect(statusPatch({ conditions }, { conditions: new Map([['ClaimsSynced', null]]) }, now)).toEqual({
      conditions: stored(trueCondition('Ready'), ...essential),
    });
    expect(statusPatch({ conditions: [] }, { conditions: new Map([['ClaimsSynced', null]]) }, now)).toBeUndefined();
  });

  it.each<[string | undefined, string | null | undefined, object | undefined]>([
    [undefined, 'P', { providerPrettyName: 'P' }],
    ['P', 'Q', { providerPrettyName: 'Q' }],
    ['P', null, { providerPrettyName: null }],
    [undefined, null, undefined],
    ['P', undefined, undefined],
  ])('knows the provider: %s → %s', (before, prettyName, expected) => {
    expect(statusPatch({ providerPrettyName: before }, { conditions: new Map(), prettyName }, now)).toEqual(expected);
  });

  it('is written once for the same reports', () => {
    const type = fc.constantFrom('A', 'B', 'C', 'Ready');
    const state: fc.Arbitrary<ConditionState> = fc.record({
      type,
      status: fc.constantFrom('True', 'False', 'Unknown'),
      severity: fc.option(fc.constantFrom('Error', 'Warning', 'Info'), { nil: undefined }),
      reason: fc.option(fc.constantFrom('R', 'S'), { nil: undefined }),
    });
    fc.assert(
      fc.property(fc.uniqueArray(state, { selector: (one) => one.type }), fc.array(state), (before, reported) => {
        const said = reports(...reported.filter((one) => one.type !== 'Ready'));
        const first = statusPatch({ conditions: stored(...before) }, said, now) as
          | { conditions: Condition[] }
          | undefined;
        const conditions = first?.conditions ?? stored(...before);

        expect(statusPatch({ conditions }, said, new Date(now.getTime() + 60_000))).toBeUndefined();
      }),
    );
  });
});
