/** One part of a layout of Go: what it reads, and the greatest number that may stand there. */
interface Part {
  readonly layout: string;
  readonly pattern: RegExp;
  readonly range?: { readonly name: string; readonly from: number; readonly to: number };
}

const literal = (layout: string): Part => ({ layout, pattern: new RegExp(`^${layout}`) });
const DATE: readonly Part[] = [
  { layout: '2006', pattern: /^\d{4}/ },
  literal('-'),
  { layout: '01', pattern: /^\d{2}/, range: { name: 'month', from: 1, to: 12 } },
  literal('-'),
  { layout: '02', pattern: /^\d{2}/ },
];
const DATE_TIME: readonly Part[] = [
  ...DATE,
  literal('T'),
  { layout: '15', pattern: /^\d{1,2}/, range: { name: 'hour', from: 0, to: 23 } },
  literal(':'),
  { layout: '04', pattern: /^\d{2}/, range: { name: 'minute', from: 0, to: 59 } },
  literal(':'),
  { layout: '05', pattern: /^\d{2}(?:[.,]\d+)?/, range: { name: 'second', from: 0, to: 59 } },
];

/** Why Go cannot read a text as a date, in its own words. */
export const dateProblem = (text: string): string => problem(text, DATE);

/** Why Go cannot read a text as a date with a time, in its own words: those for the last of the forms it tries. */
export const dateTimeProblem = (text: string): string => problem(text, DATE_TIME);

function problem(text: string, parts: readonly Part[]): string {
  const whole = `parsing time ${quoted(text)}`;
  let left = text;
  for (const { layout, pattern, range } of parts) {
    const [found] = pattern.exec(left) ?? [];
    if (found === undefined) {
      const all = parts.map((part) => part.layout).join('');
      return `${whole} as ${quoted(all)}: cannot parse ${quoted(left)} as ${quoted(layout)}`;
    }
    const number = Math.trunc(Number(found.replace(',', '.')));
    if (range && (number < range.from || number > range.to)) return `${whole}: ${range.name} out of range`;
    left = left.slice(found.length);
  }
  return left === '' ? `${whole}: day out of range` : `${whole}: extra text: ${quoted(left)}`;
}

/** Go's errors about times quote in a way of their own: every byte that is not printable ASCII stands in hexadecimal. */
function quoted(text: string): string {
  const bytes = Array.from(Buffer.from(text), (byte) => {
    if (byte < 0x20 || byte >= 0x80) return `\\x${byte.toString(16).padStart(2, '0')}`;
    const character = String.fromCharCode(byte);
    return character === '"' || character === '\\' ? `\\${character}` : character;
  });
  return `"${bytes.join('')}"`;
}
