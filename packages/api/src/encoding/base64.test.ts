import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeBase64, encodeBase64 } from './base64.ts';

describe('base 64', () => {
  it.each([
    ['standard, padded', '+/+/YQ=='],
    ['standard, not padded', '+/+/YQ'],
    ['URL-safe, padded', '-_-_YQ=='],
    ['URL-safe, not padded', '-_-_YQ'],
  ])('is read in its %s form', (_, text) => {
    expect(decodeBase64(text)?.toString('hex')).toBe('fbffbf61');
  });

  it.each(['not base 64!', 'a', 'abcde', '====', 'ab=c', 'ab\n'])('is not found in %j', (text) => {
    expect(decodeBase64(text)).toBeUndefined();
  });

  it('is written with the standard alphabet and padding', () => {
    expect(encodeBase64('~~>?')).toBe('fn4+Pw==');
  });

  it('brings every text back', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        expect(decodeBase64(encodeBase64(text))?.toString('utf8')).toBe(text);
      }),
    );
  });
});
