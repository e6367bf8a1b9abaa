import { describe, expect, it } from 'vitest';
import { ageSince, humanDuration } from './duration.ts';

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;
const year = 365 * day;

describe('humanDuration', () => {
  it.each([
    [-5 * second, '<invalid>'],
    [-2 * second, '<invalid>'],
    [-1900, '0s'],
    [-1 * second, '0s'],
    [0, '0s'],
    [999, '0s'],
    [second, '1s'],
    [119 * second, '119s'],
    [2 * minute, '2m'],
    [5 * minute + 12 * second, '5m12s'],
    [10 * minute, '10m'],
    [179 * minute, '179m'],
    [3 * hour, '3h'],
    [3 * hour + 5 * minute, '3h5m'],
    [8 * hour, '8h'],
    [47 * hour, '47h'],
    [2 * day, '2d'],
    [2 * day + 3 * hour, '2d3h'],
    [8 * day, '8d'],
    [729 * day, '729d'],
    [2 * year, '2y'],
    [6 * year + 320 * day, '6y320d'],
    [8 * year, '8y'],
    [30 * year, '30y'],
  ])('shows %i ms as %s', (milliseconds, text) => {
    expect(humanDuration(milliseconds)).toBe(text);
  });
});

describe('ageSince', () => {
  const now = new Date('2026-01-01T00:10:00Z');

  it('counts up to now', () => {
    expect(ageSince('2026-01-01T00:00:00Z', now)).toBe('10m');
  });

  it.each([undefined, null, ''])('does not know the age of %j', (time) => {
    expect(ageSince(time, now)).toBe('<unknown>');
  });
});
