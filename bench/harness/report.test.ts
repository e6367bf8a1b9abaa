import { describe, expect, it } from 'vitest';
import { type Figure, reached, table } from './report.ts';

const faster: Figure = { what: 'reads', measured: '600/s against 100/s', value: 6, goal: { atLeast: 6 } };
const larger: Figure = { what: 'memory', measured: '4 KB', value: 4, goal: { atMost: 3 } };

describe('report', () => {
  it('knows which figures reach their goal', () => {
    expect([reached(faster), reached(larger)]).toEqual([true, false]);
  });

  it('shows figures as aligned rows', () => {
    expect(table([faster, larger]).split('\n')).toEqual([
      'figure  measured             value  goal',
      'reads   600/s against 100/s  6.00   ≥ 6   reached',
      'memory  4 KB                 4.00   ≤ 3   NOT REACHED',
    ]);
  });
});
