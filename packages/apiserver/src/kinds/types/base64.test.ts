import { describe, expect, it } from 'vitest';
import { readBase64 } from './base64.ts';

describe('readBase64', () => {
  it.each(['', 'YQ==', 'YWI=', 'YWJj', 'YWJjZA==', '+/+/'])('takes %j as it is', (text) => {
    expect(readBase64(text)).toBe(text);
  });

  it.each([
    ['YWJj\nYWJj\n', 'YWJjYWJj'],
    ['YQ=\r\n=', 'YQ=='],
    ['YR==', 'YQ=='],
  ])('rewrites %j as %j', (text, canonical) => {
    expect(readBase64(text)).toBe(canonical);
  });

  // Positions as Go reports them.
  it.each([
    ['ZA=', 3],
    ['abc', 0],
    ['abcde', 4],
    ['a=bc', 1],
    ['YQ==x', 4],
    ['YQ=x', 2],
    ['Y!==', 1],
    ['-_', 0],
    ['=', 0],
  ])('finds %j corrupt at byte %i', (text, at) => {
    expect(readBase64(text)).toEqual({ problem: `illegal base64 data at input byte ${at}` });
  });
});
