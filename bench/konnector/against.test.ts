import { describe, expect, it } from 'vitest';
import { reached } from '../harness/report.ts';
import { figures } from './against.ts';

describe('a konnector against that of another checkout', () => {
  it('is judged by the medians of its runs, figure by figure', () => {
    const ours = [1, 9, 1.04].map((seconds) => ({ seconds, writes: 0, memory: 110 }));
    const theirs = [5, 1, 1].map((seconds) => ({ seconds, writes: 0, memory: 100 }));
    const judged = figures(ours, theirs);
    expect(judged.map((figure) => [figure.what, figure.measured, reached(figure)])).toEqual([
      ['seconds', '1.04 against 1.00', true],
      ['writes', '0.00 against 0.00', true],
      ['memory', '110.00 against 100.00', false],
    ]);
  });
});
