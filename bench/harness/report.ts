import { mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';

/** One figure of a benchmark, with the bar it is held against. */
export interface Figure {
  readonly what: string;
  /** The figure, in words, such as `2310/s against 251/s`. */
  readonly measured: string;
  /** The number that is compared: a ratio, or a size. */
  readonly value: number;
  readonly goal: { readonly atLeast: number } | { readonly atMost: number };
}

/** Whether a figure reaches its goal. */
export function reached({ value, goal }: Figure): boolean {
  return 'atLeast' in goal ? value >= goal.atLeast : value <= goal.atMost;
}

/** The figures as a table for people. */
export function table(figures: readonly Figure[]): string {
  const rows = [
    ['figure', 'measured', 'value', 'goal', ''],
    ...figures.map((figure) => [
      figure.what,
      figure.measured,
      figure.value.toFixed(2),
      'atLeast' in figure.goal ? `≥ ${figure.goal.atLeast}` : `≤ ${figure.goal.atMost}`,
      reached(figure) ? 'reached' : 'NOT REACHED',
    ]),
  ];
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? [];
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** Writes the figures as JSON, for comparison over time. */
export async function writeReport(file: string, figures: readonly Figure[]): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  const report = { at: new Date().toISOString(), node: process.version, figures };
  await writeFile(file, `${JSON.stringify(report, undefined, 2)}\n`);
}
