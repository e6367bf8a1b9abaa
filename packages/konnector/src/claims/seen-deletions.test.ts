import { describe, expect, it } from 'vitest';
import { createSeenDeletions } from './seen-deletions.ts';

describe('deletions that were seen', () => {
  it('are forgotten when they have been dealt with', () => {
    const seen = createSeenDeletions();
    seen.add('a');
    const done = seen.begin('a');
    expect(seen.has('a')).toBe(true);
    done();
    expect(seen.has('a')).toBe(false);
  });

  it.each([
    ['the first one', []],
    ['another one', ['a']],
  ])('are kept when they arrive meanwhile: %s', (_, before) => {
    const seen = createSeenDeletions();
    for (const key of before) seen.add(key);
    const done = seen.begin('a');
    seen.add('a');
    done();
    expect(seen.has('a')).toBe(true);
  });

  it('are void when the object is there again', () => {
    const seen = createSeenDeletions();
    seen.add('a');
    seen.delete('a');
    expect(seen.has('a')).toBe(false);
  });
});
