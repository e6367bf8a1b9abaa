import { describe, expect, it } from 'vitest';
import { cleanToken } from './bearer-token.ts';

describe('cleanToken', () => {
  it.each([
    ['abc', 'abc'],
    ['abc\n', 'abc'],
    ['  abc\r\n', 'abc'],
    ['eyJh.eyJz.c2ln-_~+/=', 'eyJh.eyJz.c2ln-_~+/='],
  ])('takes %j as %j', (text, token) => {
    expect(cleanToken(text)).toBe(token);
  });

  it.each(['', ' \n', 'two words', 'two\nlines', 'tab\there', 'ümlaut', 'nul\0'])('refuses %j', (text) => {
    expect(cleanToken(text)).toBeUndefined();
  });
});
