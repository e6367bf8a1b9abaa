import type { Terminal } from './terminal.ts';

/** The forms in which results can be had. */
export const outputFormats = ['table', 'json', 'yaml', 'name'] as const;
export type OutputFormat = (typeof outputFormats)[number];

/** A result that has every form. */
export interface Result {
  /** Heading and rows of the table. */
  readonly table: { readonly columns: readonly string[]; readonly rows: readonly (readonly string[])[] };
  /** What JSON and YAML hold: one document. */
  readonly document: unknown;
  /** One line for each object, as kubectl names them: `<kind>.<group>/<name>`. */
  readonly names: readonly string[];
}

/** Prints a result on standard output, where nothing else is printed: JSON and YAML are one document. */
export async function printResult(
  terminal: Pick<Terminal, 'print'>,
  format: OutputFormat,
  result: Result,
): Promise<void> {
  switch (format) {
    case 'json':
      return terminal.print(JSON.stringify(result.document, undefined, 2));
    case 'yaml':
      return terminal.print(await yamlOf(result.document));
    case 'name':
      return result.names.forEach((name) => terminal.print(name));
    case 'table':
      return tableLines(result.table.columns, result.table.rows).forEach((line) => terminal.print(line));
  }
}

/** A value as YAML that Go, too, reads as it was meant, without a line end at the end. */
export async function yamlOf(document: unknown): Promise<string> {
  const { stringify } = await import('yaml');
  const text = stringify(document, { lineWidth: 0, compat: 'yaml-1.1', aliasDuplicateObjects: false });
  return text.trimEnd();
}

/** Pure: a table with columns as wide as they have to be, three spaces apart, as kubectl prints them. */
export function tableLines(columns: readonly string[], rows: readonly (readonly string[])[]): readonly string[] {
  const lines = [columns.map((column) => column.toUpperCase()), ...rows];
  const widths = columns.map((_, at) => Math.max(...lines.map((line) => [...(line[at] ?? '')].length)));
  return lines.map((line) =>
    widths
      .map((width, at) => (line[at] ?? '').padEnd(width))
      .join('   ')
      .trimEnd(),
  );
}
