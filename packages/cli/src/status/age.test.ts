import { expect, it } from 'vitest';
import { ageOf } from './age.ts';

const now = new Date('2026-01-10T00:00:00Z');

it.each([
  [0, '0s ago'],
  [119, '119s ago'],
  [120, '2m ago'],
  [7199, '119m ago'],
  [7200, '2h ago'],
  [172_799, '47h ago'],
  [172_800, '2d ago'],
  [-604_800, 'in 7d'],
  [-30, 'in 30s'],
])('%i seconds are %s', (seconds, text) => {
  expect(ageOf(new Date(now.getTime() - seconds * 1000), now)).toBe(text);
});
