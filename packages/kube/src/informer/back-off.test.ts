import { describe, expect, it } from 'vitest';
import { createBackOff } from './back-off.ts';

describe('back-off', () => {
  it('doubles up to its maximum and starts over after a success', () => {
    const backOff = createBackOff({ initialMs: 100, maxMs: 500, random: () => 1 });
    expect([backOff.next(), backOff.next(), backOff.next(), backOff.next()]).toEqual([100, 200, 400, 500]);
    backOff.reset();
    expect(backOff.next()).toBe(100);
  });

  it('spreads waits over the upper half', () => {
    expect(createBackOff({ initialMs: 100, random: () => 0 }).next()).toBe(50);
  });

  it('stays at its maximum however often it fails', () => {
    const backOff = createBackOff({ maxMs: 500, random: () => 1 });
    for (let failure = 0; failure < 5000; failure++) backOff.next();
    expect(backOff.next()).toBe(500);
  });
});
