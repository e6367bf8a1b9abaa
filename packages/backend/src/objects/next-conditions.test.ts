import { type Condition, falseCondition, trueCondition } from '@klutch/api';
import { describe, expect, it } from 'vitest';
import { nextConditions } from './next-conditions.ts';

describe('the next conditions of an object', () => {
  const now = new Date('2026-01-02T00:00:00.500Z');
  const connected: Condition = { type: 'Connected', status: 'True', lastTransitionTime: '2026-01-01T00:00:00Z' };

  it('are none when they are said already', () => {
    expect(nextConditions([connected], [trueCondition('Connected')], now)).toBeUndefined();
    expect(nextConditions(undefined, [], now)).toBeUndefined();
  });

  it('are those of others as they are, and the new ones with the time', () => {
    expect(nextConditions([connected], [falseCondition('Synced', 'Error', 'Why', 'Do it.')], now)).toEqual([
      connected,
      {
        type: 'Synced',
        status: 'False',
        severity: 'Error',
        lastTransitionTime: '2026-01-02T00:00:00Z',
        reason: 'Why',
        message: 'Do it.',
      },
    ]);
  });

  it('leave the time of what is said already when something else changes', () => {
    const next = nextConditions([connected], [trueCondition('Connected'), trueCondition('Ready')], now);

    expect(next?.map(({ type, lastTransitionTime }) => [type, lastTransitionTime])).toEqual([
      ['Ready', '2026-01-02T00:00:00Z'],
      ['Connected', '2026-01-01T00:00:00Z'],
    ]);
  });
});
