import { InvalidArgumentError } from 'commander';

const units: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 };

/** Reads a time as Go writes it, such as `30s` or `1m30s`, or a number of seconds. Throws what commander reports. */
export function milliseconds(text: string): number {
  const isWhole = /^(?:\d+(?:\.\d+)?(?:ms|s|m|h))+$/.test(text);
  if (/^\d+$/.test(text) && Number(text) > 0) return Number(text) * 1_000;
  const parts = [...text.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h)/g)];
  const total = parts.reduce((sum, [, number, unit = '']) => sum + Number(number) * (units[unit] ?? 0), 0);
  if (isWhole && total > 0) return total;
  throw new InvalidArgumentError('A time is a number with a unit, such as 30s, 10m or 1m30s.');
}
