import { describe, expect, it } from 'vitest';
import { createSpamFilter } from './spam-filter.ts';

const accepted = (filter: ReturnType<typeof createSpamFilter>, object: string, now: number, times: number) =>
  Array.from({ length: times }, () => filter(object, now)).filter(Boolean).length;

describe('spam filter', () => {
  it('accepts 25 events at once and one more every five minutes', () => {
    const filter = createSpamFilter();

    expect(accepted(filter, 'a', 0, 100)).toBe(25);
    expect(accepted(filter, 'a', 299_999, 10)).toBe(0);
    expect(accepted(filter, 'a', 300_000, 10)).toBe(1);
    expect(accepted(filter, 'a', 3 * 300_000, 10)).toBe(2);
  });

  it('saves up no more than one burst', () => {
    const filter = createSpamFilter({ burst: 3, refillMs: 10 });

    expect(accepted(filter, 'a', 0, 10)).toBe(3);
    expect(accepted(filter, 'a', 1_000_000, 10)).toBe(3);
  });

  it('does not let one object use up the events of another', () => {
    const filter = createSpamFilter({ burst: 1 });

    expect(accepted(filter, 'a', 0, 5)).toBe(1);
    expect(accepted(filter, 'b', 0, 5)).toBe(1);
  });

  it('remembers a limited number of objects', () => {
    const filter = createSpamFilter({ burst: 1, objects: 2 });
    for (const object of ['a', 'b', 'c']) filter(object, 0);

    expect(filter('c', 0)).toBe(false);
    expect(filter('a', 0)).toBe(true);
  });
});
