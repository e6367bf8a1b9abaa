import { describe, expect, it } from 'vitest';
import { createBreaker } from './breaker.ts';

function missing(count: number) {
  const breaker = createBreaker();
  for (let index = 0; index < count; index++) breaker.miss(`a/${index}`, index);
  return breaker;
}

describe('the breaker', () => {
  it.each([
    [5, 5, false],
    [6, 6, true],
    [6, 59, true],
    [6, 60, false],
    [100, 1_000, false],
    [101, 1_000, true],
    [0, 0, false],
  ])('with %i of %i missing: braked %s', (pending, copies, isBraked) => {
    expect(missing(pending).isBraked(copies)).toBe(isBraked);
  });

  it('counts a key once and remembers when it was first missed', () => {
    const breaker = missing(1);
    breaker.miss('a/0', 50);
    expect(breaker.pending).toBe(1);
    expect(breaker.missedSince('a/0')).toBe(0);
  });

  it('forgets what is found again', () => {
    const breaker = missing(6);
    breaker.clear('a/3');
    expect(breaker.isBraked(6)).toBe(false);
    expect([...breaker.keys()]).not.toContain('a/3');
    expect(breaker.missedSince('a/3')).toBeUndefined();
  });
});
