/** Lengths of time as nanoseconds, read and written as Go does. */

const UNITS: Readonly<Record<string, bigint>> = {
  ns: 1n,
  us: 1_000n,
  '\u00b5s': 1_000n,
  '\u03bcs': 1_000n,
  ms: 1_000_000n,
  s: 1_000_000_000n,
  m: 60_000_000_000n,
  h: 3_600_000_000_000n,
};

const MAX = 2n ** 63n - 1n;

/** Parses `1h30m`, `-1.5s`, `300ms`, `0`. */
export function parseGoDuration(text: string): bigint | undefined {
  const isNegative = text.startsWith('-');
  const unsigned = text.replace(/^[+-]/, '');
  if (unsigned === '0') return 0n;
  const terms = unsigned.match(/(\d+\.?\d*|\.\d+)[^\d.]+/g) ?? [];
  if (unsigned === '' || terms.join('') !== unsigned) return undefined;
  let total = 0n;
  for (const term of terms) {
    const nanos = termNanos(term);
    if (nanos === undefined) return undefined;
    total += nanos;
  }
  if (total > (isNegative ? MAX + 1n : MAX)) return undefined;
  return isNegative ? -total : total;
}

function termNanos(term: string): bigint | undefined {
  const [, whole = '', fraction = '', unit = ''] = /^(\d*)\.?(\d*)([^\d.]+)$/.exec(term) ?? [];
  const size = UNITS[unit];
  if (size === undefined) return undefined;
  const digits = fraction.slice(0, 18);
  return BigInt(whole || '0') * size + (BigInt(digits || '0') * size) / 10n ** BigInt(digits.length);
}

/** Names of units in the longer style (`2 weeks`), each with what it is worth; the last name may have an ending. */
const LONG_UNITS: readonly (readonly [nanos: bigint, names: readonly string[]])[] = [
  [1n, ['ns', 'nano']],
  [1_000n, ['us', '\u00b5s', 'micro']],
  [1_000_000n, ['ms', 'milli']],
  [1_000_000_000n, ['s', 'sec']],
  [60_000_000_000n, ['m', 'min']],
  [3_600_000_000_000n, ['h', 'hr', 'hour']],
  [86_400_000_000_000n, ['d', 'day']],
  [604_800_000_000_000n, ['w', 'wk', 'week']],
];

/** The `duration` format of schemas: Go's, or terms such as `2 days 3 hours` anywhere in the text. */
export function parseSchemaDuration(text: string): bigint | undefined {
  const exact = parseGoDuration(text);
  if (exact !== undefined) return exact;
  let total: bigint | undefined;
  for (const [, count = '0', unit = ''] of text.matchAll(/(\d+)\s*([A-Za-z\u00b5]+)/g)) {
    if (BigInt(count) > MAX) return undefined;
    for (const nanos of worths(unit.toLowerCase())) total = (total ?? 0n) + BigInt(count) * nanos;
  }
  return total === undefined ? undefined : BigInt.asIntN(64, total);
}

function worths(unit: string): bigint[] {
  const isNamed = (names: readonly string[]) => names.includes(unit) || unit.startsWith(names.at(-1) ?? unit);
  return LONG_UNITS.filter(([, names]) => isNamed(names)).map(([nanos]) => nanos);
}
