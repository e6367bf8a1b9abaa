/** A table in Markdown; columns of which no cell says anything are left out. */
export function table(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  const used = headings.map((_, at) => at === 0 || rows.some((row) => row[at] !== ''));
  const line = (cells: readonly string[]) =>
    `| ${cells
      .filter((_, at) => used[at])
      .map(escaped)
      .join(' | ')} |`;
  return [line(headings), line(headings.map(() => '---')), ...rows.map(line)].join('\n');
}

/** Each as code, with commas. */
export function codes(values: readonly string[]): string {
  return values.map((value) => `\`${value}\``).join(', ');
}

/** Parts of a page, of which some may be missing, with a blank line between them. */
export function page(parts: readonly (string | undefined)[]): string {
  const said = parts.filter((part) => part !== undefined && part !== '');
  return ['<!-- Generated from the catalogue; do not edit. -->', ...said].join('\n\n').concat('\n');
}

/** A heading with what is below it; nothing when that is nothing. */
export function section(heading: string, ...parts: readonly string[]): string | undefined {
  const said = parts.filter((part) => part !== '');
  return said.length > 0 ? [`## ${heading}`, ...said].join('\n\n') : undefined;
}

function escaped(cell: string): string {
  return cell.replaceAll('|', '\\|').replaceAll('\n', ' ');
}
