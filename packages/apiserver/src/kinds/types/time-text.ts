/** The parts of RFC 3339 in the order Go reads them: how Go calls them, and what they look like. */
const PARTS: readonly (readonly [string, RegExp])[] = [
  ['2006', /^\d{4}/],
  ['-', /^-/],
  ['01', /^\d{2}/],
  ['-', /^-/],
  ['02', /^\d{2}/],
  ['T', /^T/],
  ['15', /^\d{1,2}/],
  [':', /^:/],
  ['04', /^\d{2}/],
  [':', /^:/],
];

const ZONE = ['Z07:00', /^(?:Z|[+-]\d{2}:\d{2})/] as const;

/** Whole seconds, of which clients may send fractions, and microseconds, which they must send. */
const LAYOUTS = {
  0: { name: '2006-01-02T15:04:05Z07:00', parts: [...PARTS, ['05', /^\d{2}(?:[.,]\d+)?/] as const, ZONE] },
  6: {
    name: '2006-01-02T15:04:05.000000Z07:00',
    parts: [...PARTS, ['05', /^\d{2}/] as const, ['.000000', /^[.,]\d{6}/] as const, ZONE],
  },
};

/** A time in UTC with the given number of digits after the second. */
export function readTime(text: string, digits: 0 | 6): string | { readonly problem: string } {
  const parts: string[] = [];
  const layout = LAYOUTS[digits];
  let rest = text;
  for (const [name, pattern] of layout.parts) {
    const found = pattern.exec(rest)?.[0];
    if (found === undefined)
      return {
        problem: `parsing time ${quote(text)} as ${quote(layout.name)}: cannot parse ${quote(rest)} as ${quote(name)}`,
      };
    parts.push(found);
    rest = rest.slice(found.length);
  }
  if (rest !== '') return { problem: `parsing time ${quote(text)}: extra text: ${quote(rest)}` };
  const range = outOfRange(parts);
  if (range !== undefined) return { problem: `parsing time ${quote(text)}: ${range} out of range` };
  return inUtc(parts, digits);
}

function outOfRange(parts: readonly string[]): string | undefined {
  const [year, , month, , day, , hour, , minute, , second = ''] = parts;
  if (Number(month) < 1 || Number(month) > 12) return 'month';
  if (Number(hour) > 23) return 'hour';
  if (Number(minute) > 59) return 'minute';
  if (Number.parseInt(second, 10) > 59) return 'second';
  const [, zoneHours = '0', zoneMinutes = '0'] = zoneOf(parts);
  if (Number(zoneHours) > 24) return 'time zone offset hour';
  if (Number(zoneMinutes) > 60) return 'time zone offset minute';
  const lastDay = new Date(0).setUTCFullYear(Number(year), Number(month), 0);
  return Number(day) < 1 || Number(day) > new Date(lastDay).getUTCDate() ? 'day' : undefined;
}

/** Sign, hours and minutes; nothing for UTC. */
function zoneOf(parts: readonly string[]): readonly string[] {
  return (/^([+-])(\d{2}):(\d{2})$/.exec(parts.at(-1) ?? '') ?? []).slice(1);
}

function inUtc(parts: readonly string[], digits: number): string {
  const [year, , month, , day, , hour, , minute] = parts.map(Number);
  const [second = '', fraction = ''] = parts.slice(10, -1).join('').split(/[.,]/);
  const [sign = '+', zoneHours = '0', zoneMinutes = '0'] = zoneOf(parts);
  const offset = (Number(zoneHours) * 60 + Number(zoneMinutes)) * (sign === '-' ? -1 : 1);
  const moment = new Date(0);
  moment.setUTCFullYear(year ?? 0, (month ?? 1) - 1, day);
  moment.setUTCHours(hour ?? 0, (minute ?? 0) - offset, Number(second));
  const whole = moment.toISOString().slice(0, 19);
  return digits === 0 ? `${whole}Z` : `${whole}.${fraction.slice(0, digits).padEnd(digits, '0')}Z`;
}

function quote(text: string): string {
  return JSON.stringify(text);
}
