import type { Tier } from '@klutch/kit';

import type { ComponentCoverage, Coverage } from './coverage.ts';
import type { Shortfall } from './shortfalls.ts';

const TIERS: readonly Tier[] = ['embedded', 'real'];

/** The coverage as text for people: a table of counts, then the ids behind them, then what is wrong. */
export function renderCoverage({ components, unknown }: Coverage, shortfalls: readonly Shortfall[]): string {
  const rows = [
    ['component', 'scenarios', ...TIERS],
    ...components.map((row) => [
      row.component,
      count(row.scenarios),
      ...TIERS.map((tier) => count(row.passing[tier].length)),
    ]),
    [
      'total',
      count(sum(components, (row) => row.scenarios)),
      ...TIERS.map((tier) => count(sum(components, (row) => row.passing[tier].length))),
    ],
  ];
  const sections = [
    table(rows),
    idLines('passing', components, (row) => row.passing),
    idLines('failing', components, (row) => row.failing),
    shortfalls.map(shortfallLine).join('\n'),
    unknown.map(unknownLine).join('\n'),
  ];
  return sections.filter((section) => section !== '').join('\n\n');
}

/** A scenario that is not covered as it must be, in a line. */
export function shortfallLine({ id, problem }: Shortfall): string {
  return `not covered: ${id} ${problem}`;
}

/** An id that no scenario has, in a line. */
export function unknownLine({ id, title, file }: Coverage['unknown'][number]): string {
  return `unknown id ${id}: "${title}" in ${file}`;
}

function idLines(
  heading: string,
  components: readonly ComponentCoverage[],
  idsOf: (row: ComponentCoverage) => Readonly<Record<Tier, readonly string[]>>,
): string {
  return components
    .flatMap((row) => TIERS.map((tier) => ({ name: `${row.component} on ${tier}`, ids: idsOf(row)[tier] })))
    .filter(({ ids }) => ids.length > 0)
    .map(({ name, ids }) => `${heading}, ${name}: ${ids.join(' ')}`)
    .join('\n');
}

function table(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const aligned = (cell: string, column: number) =>
    column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0);
  return rows.map((row) => row.map(aligned).join('  ')).join('\n');
}

function sum(rows: readonly ComponentCoverage[], of: (row: ComponentCoverage) => number): number {
  return rows.reduce((total, row) => total + of(row), 0);
}

function count(value: number): string {
  return String(value);
}
