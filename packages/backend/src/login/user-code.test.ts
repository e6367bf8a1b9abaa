import { describe, expect, it } from 'vitest';
import { newUserCode, parseUserCode } from './user-code.ts';

describe('a user code', () => {
  it('is two groups of letters that make no words, and another one each time', () => {
    const codes = Array.from({ length: 200 }, newUserCode);

    expect(codes.filter((code) => !/^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/.test(code))).toEqual([]);
    expect(new Set(codes).size).toBe(codes.length);
    expect(codes.map(parseUserCode)).toEqual(codes);
  });

  it.each(['WDJB-MJHT', 'wdjbmjht', ' wdjb mjht ', 'WDJ-BMJ-HT'])('is understood as %s', (text) => {
    expect(parseUserCode(text)).toBe('WDJB-MJHT');
  });

  it.each(['', 'WDJB-MJH', 'WDJB-MJHTX', 'ADJB-MJHT', 'WDJB-MJH7', '<b>'])('is not %s', (text) => {
    expect(parseUserCode(text)).toBeUndefined();
  });
});
