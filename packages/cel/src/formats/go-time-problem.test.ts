import { describe, expect, it } from 'vitest';
import { dateProblem, dateTimeProblem } from './go-time-problem.ts';

describe('why Go cannot read a date', () => {
  it.each([
    ['2023-02-29', 'parsing time "2023-02-29": day out of range'],
    ['2024-00-01', 'parsing time "2024-00-01": month out of range'],
    ['2024-13-01', 'parsing time "2024-13-01": month out of range'],
    ['2024-1-1', 'parsing time "2024-1-1" as "2006-01-02": cannot parse "1-1" as "01"'],
    ['2024-01', 'parsing time "2024-01" as "2006-01-02": cannot parse "" as "-"'],
    ['24-01-01', 'parsing time "24-01-01" as "2006-01-02": cannot parse "24-01-01" as "2006"'],
    ['', 'parsing time "" as "2006-01-02": cannot parse "" as "2006"'],
    ['2024-01-01x', 'parsing time "2024-01-01x": extra text: "x"'],
    ['é"', String.raw`parsing time "\xc3\xa9\"" as "2006-01-02": cannot parse "\xc3\xa9\"" as "2006"`],
  ])('%j', (text, problem) => {
    expect(dateProblem(text)).toBe(problem);
  });
});

describe('why Go cannot read a time', () => {
  it.each([
    [
      '2024-02-29 10:00:00',
      'parsing time "2024-02-29 10:00:00" as "2006-01-02T15:04:05": cannot parse " 10:00:00" as "T"',
    ],
    ['2024-02-29T25:00:00', 'parsing time "2024-02-29T25:00:00": hour out of range'],
    ['2024-02-29T10:60:00', 'parsing time "2024-02-29T10:60:00": minute out of range'],
    ['2024-02-29T10:00:60.5', 'parsing time "2024-02-29T10:00:60.5": second out of range'],
    ['2024-02-30T10:00:00', 'parsing time "2024-02-30T10:00:00": day out of range'],
    ['2024-02-29T10:00:00.5zz', 'parsing time "2024-02-29T10:00:00.5zz": extra text: "zz"'],
  ])('%j', (text, problem) => {
    expect(dateTimeProblem(text)).toBe(problem);
  });
});
