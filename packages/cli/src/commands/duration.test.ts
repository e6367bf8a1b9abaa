import { describe, expect, it } from 'vitest';
import { milliseconds } from './duration.ts';

describe('milliseconds', () => {
  it.each([
    ['30s', 30_000],
    ['10m', 600_000],
    ['1m30s', 90_000],
    ['1.5h', 5_400_000],
    ['250ms', 250],
    ['45', 45_000],
  ])('reads %s', (text, value) => {
    expect(milliseconds(text)).toBe(value);
  });

  it.each(['', '0', '0s', '-1s', '10 m', 's', '1d', 'soon', '1mm'])('refuses %j', (text) => {
    expect(() => milliseconds(text)).toThrow('A time is a number with a unit');
  });
});
