/** One verb of a format string, such as `%.3f`. */
export interface Clause {
  readonly verb: Verb;
  /** Digits behind the point; undefined when not written. */
  readonly precision: number | undefined;
}

export type Verb = 's' | 'd' | 'f' | 'e' | 'b' | 'x' | 'X' | 'o';

const VERBS = new Set<string>(['s', 'd', 'f', 'e', 'b', 'x', 'X', 'o']);

/** What each verb says about a value that it cannot show. */
export const COMPLAINTS: Readonly<Record<Verb, string>> = {
  s: 'string clause can only be used on strings, bools, bytes, ints, doubles, maps, lists, types, durations, and timestamps',
  d: 'decimal clause can only be used on integers',
  f: 'fixed-point clause can only be used on doubles',
  e: 'scientific clause can only be used on doubles',
  b: 'only integers and bools can be formatted as binary',
  x: 'only integers, byte buffers, and strings can be formatted as hex',
  X: 'only integers, byte buffers, and strings can be formatted as hex',
  o: 'octal clause can only be used on integers',
};

/** A format string that is not one, or that wants more arguments than there are. */
export class FormatStringError extends Error {
  override readonly name = 'FormatStringError';
}

/** Walks through a format string and writes each clause with the next of `count` arguments. */
export function interpolate(
  format: string,
  count: number,
  write: (clause: Clause, argument: number) => string,
): string {
  let text = '';
  let argument = 0;
  for (let at = 0; at < format.length; at++) {
    const char = format.charAt(at);
    if (char !== '%') {
      text += char;
      continue;
    }
    if (format.charAt(at + 1) === '%') {
      text += '%';
      at++;
      continue;
    }
    if (at + 1 >= format.length) throw new FormatStringError('unexpected end of string');
    if (argument >= count) throw new FormatStringError(`index ${argument} out of range`);
    const { clause, length } = readClause(format.slice(at + 1));
    text += write(clause, argument);
    argument++;
    at += length;
  }
  return text;
}

/** How many arguments a format string uses. */
export function countClauses(format: string, available: number): number {
  let used = 0;
  interpolate(format, available, () => {
    used++;
    return '';
  });
  return used;
}

function readClause(rest: string): { clause: Clause; length: number } {
  const failure = (problem: string) => new FormatStringError(`could not parse formatting clause: ${problem}`);
  const dotted = /^\.(\d*)/.exec(rest);
  const length = dotted?.[0].length ?? 0;
  if (length >= rest.length) throw failure('error while parsing precision: could not find end of precision specifier');
  if (dotted && dotted[1] === '') {
    throw failure(
      'error while parsing precision: error while converting precision to integer: strconv.Atoi: parsing "": invalid syntax',
    );
  }
  const verb = rest.charAt(length);
  if (!VERBS.has(verb)) throw failure(`unrecognized formatting clause "${verb}"`);
  return { clause: { verb: verb as Verb, precision: dotted ? Number(dotted[1]) : undefined }, length: length + 1 };
}
