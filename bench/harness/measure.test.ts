import { describe, expect, it } from 'vitest';
import { concurrently, measure, median, percentile } from './measure.ts';

describe('median and percentile', () => {
  it('interpolate between the nearest values, in any order of input', () => {
    expect(median([3, 1, 2])).toBe(2);
    expect(median([4, 1, 2, 3])).toBe(2.5);
    expect(percentile([10, 20], 99)).toBeCloseTo(19.9);
    expect(median([])).toBeNaN();
  });
});

describe('measure', () => {
  it('runs contenders in turns and does not count the warm-up', async () => {
    const order: string[] = [];
    const contender = (name: string) => ({
      name,
      run: async () => {
        order.push(name);
        return 1;
      },
    });
    const [a] = await measure([contender('a'), contender('b')], { warmUps: 1, repeats: 2 });
    expect(order).toEqual(['a', 'b', 'a', 'b', 'a', 'b']);
    expect(a?.rates).toHaveLength(2);
  });
});

describe('concurrently', () => {
  it('does each operation once and never more than allowed at a time', async () => {
    const seen: number[] = [];
    let running = 0;
    let most = 0;
    await concurrently(20, 3, async (index) => {
      running += 1;
      most = Math.max(most, running);
      await Promise.resolve();
      seen.push(index);
      running -= 1;
    });
    expect(seen.sort((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, i) => i));
    expect(most).toBe(3);
  });
});
