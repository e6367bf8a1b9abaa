import { describe, expect, it } from 'vitest';
import { readTime } from './time-text.ts';

describe('readTime', () => {
  it.each([
    ['2026-01-01T00:00:00Z', '2026-01-01T00:00:00Z'],
    ['2026-01-01T01:30:00+01:30', '2026-01-01T00:00:00Z'],
    ['2026-01-01T00:00:00-01:00', '2026-01-01T01:00:00Z'],
    ['2026-01-01T00:00:00.999Z', '2026-01-01T00:00:00Z'],
    ['2024-02-29T5:00:00Z', '2024-02-29T05:00:00Z'],
    ['0001-01-01T00:00:00Z', '0001-01-01T00:00:00Z'],
    ['2026-01-01T00:00:00+24:00', '2025-12-31T00:00:00Z'],
  ])('reads %s in whole seconds', (text, canonical) => {
    expect(readTime(text, 0)).toBe(canonical);
  });

  it.each([
    ['2026-01-01T00:00:00.123456Z', '2026-01-01T00:00:00.123456Z'],
    ['2026-01-01T00:00:00.120000+01:00', '2025-12-31T23:00:00.120000Z'],
  ])('reads %s in microseconds', (text, canonical) => {
    expect(readTime(text, 6)).toBe(canonical);
  });

  // Words as Go reports them.
  it.each([
    ['', 0, 'parsing time "" as "2006-01-02T15:04:05Z07:00": cannot parse "" as "2006"'],
    ['x', 0, 'parsing time "x" as "2006-01-02T15:04:05Z07:00": cannot parse "x" as "2006"'],
    [
      '2026-02-03 05:00:00Z',
      0,
      'parsing time "2026-02-03 05:00:00Z" as "2006-01-02T15:04:05Z07:00": cannot parse " 05:00:00Z" as "T"',
    ],
    [
      '2026-02-03T05:00:00',
      0,
      'parsing time "2026-02-03T05:00:00" as "2006-01-02T15:04:05Z07:00": cannot parse "" as "Z07:00"',
    ],
    ['2026-02-03T05:00:00Zx', 0, 'parsing time "2026-02-03T05:00:00Zx": extra text: "x"'],
    ['2026-13-01T00:00:00Z', 0, 'parsing time "2026-13-01T00:00:00Z": month out of range'],
    ['2026-02-30T00:00:00Z', 0, 'parsing time "2026-02-30T00:00:00Z": day out of range'],
    ['2026-02-03T25:00:00Z', 0, 'parsing time "2026-02-03T25:00:00Z": hour out of range'],
    ['2026-02-03T05:60:00Z', 0, 'parsing time "2026-02-03T05:60:00Z": minute out of range'],
    ['2026-02-03T05:00:60Z', 0, 'parsing time "2026-02-03T05:00:60Z": second out of range'],
    ['2026-02-03T05:00:00+25:00', 0, 'parsing time "2026-02-03T05:00:00+25:00": time zone offset hour out of range'],
    [
      '2026-01-01T00:00:00.5Z',
      6,
      'parsing time "2026-01-01T00:00:00.5Z" as "2006-01-02T15:04:05.000000Z07:00": cannot parse ".5Z" as ".000000"',
    ],
    [
      '2026-01-01T00:00:00.123456789Z',
      6,
      'parsing time "2026-01-01T00:00:00.123456789Z" as "2006-01-02T15:04:05.000000Z07:00": cannot parse "789Z" as "Z07:00"',
    ],
  ] as const)('refuses %j', (text, digits, problem) => {
    expect(readTime(text, digits)).toEqual({ problem });
  });
});
