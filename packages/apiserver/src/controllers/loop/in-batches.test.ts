import { describe, expect, it } from 'vitest';
import { inBatches } from './in-batches.ts';

const numbers = (count: number) => Array.from({ length: count }, (_, index) => index);

describe('work in batches', () => {
  it.each([0, 1, 64, 65, 200])('is done for each of %i items, in order', async (count) => {
    const done: number[] = [];
    await inBatches(numbers(count), async (item) => {
      done.push(item);
    });
    expect(done).toEqual(numbers(count));
  });

  it('lets others have their turn', async () => {
    let turns = 0;
    let isDone = false;
    const count = () => {
      turns += 1;
      if (!isDone) setImmediate(count);
    };
    setImmediate(count);
    await inBatches(numbers(640), async () => {});
    isDone = true;
    expect(turns).toBeGreaterThanOrEqual(8);
  });

  it('fails with the first failure and does not begin with what follows', async () => {
    const done: number[] = [];
    const work = inBatches(numbers(200), async (item) => {
      if (item === 70) throw new Error('no');
      done.push(item);
    });
    await expect(work).rejects.toThrow('no');
    expect(Math.max(...done)).toBeLessThan(128);
  });
});
