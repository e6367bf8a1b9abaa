import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cutText } from './cut-text.ts';

describe('cutting text', () => {
  it.each([
    ['abc', 'abc'],
    ['abcdefghij', 'abcdefghij'],
    ['abcdefghijk', 'abcdefg…'],
    ['ääääää', 'äää…'],
    ['aäääää', 'aäää…'],
    ['a👍👍👍', 'a👍…'],
  ])('makes of %s in ten bytes %s', (text, cut) => {
    expect(cutText(text, 10)).toBe(cut);
  });

  it('never exceeds the limit and never splits a character', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme', size: 'max', maxLength: 60 }),
        fc.integer({ min: 3, max: 60 }),
        (text, limit) => {
          const cut = cutText(text, limit);
          expect(Buffer.byteLength(cut)).toBeLessThanOrEqual(limit);
          expect(cut === text || text.startsWith(cut.slice(0, -1))).toBe(true);
        },
      ),
    );
  });
});
