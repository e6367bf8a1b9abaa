import { describe, expect, it } from 'vitest';
import { createRecentMap } from './recent-map.ts';

describe('recent map', () => {
  it('forgets what was used longest ago when it is full', () => {
    const map = createRecentMap<number>(2);
    map.set('a', 1);
    map.set('b', 2);
    map.get('a');
    map.set('c', 3);

    expect(map.size).toBe(2);
    expect([map.get('a'), map.get('b'), map.get('c')]).toEqual([1, undefined, 3]);
  });

  it('does not forget anything when a known key is set again', () => {
    const map = createRecentMap<number>(2);
    map.set('a', 1);
    map.set('b', 2);
    map.set('a', 3);

    expect([map.get('a'), map.get('b')]).toEqual([3, 2]);
  });
});
