import { stripVTControlCharacters } from 'node:util';

/** Pure: a JSON line of the log as a line for people. Nothing in it can take control of a terminal. */
export function prettyLine(json: string, isColoured: boolean): string {
  const { time, level, msg, err, ...fields } = JSON.parse(json) as LogLine;
  const words = Object.entries(fields).map(([key, value]) => `${key}=${word(value)}`);
  const problem = err && [err.code && `[${err.code}]`, err.message, err.at?.[0] && `(at ${err.at[0]})`];
  const paint = (colour: number, text: string) => (isColoured ? `\u001b[${colour}m${text}\u001b[0m` : text);
  return [
    paint(faint, time.slice('2026-01-01T'.length, -1)),
    paint(colours[level] ?? faint, level.toUpperCase().padEnd(5)),
    plain(msg),
    words.length > 0 && paint(faint, words.join(' ')),
    problem && plain(problem.filter(Boolean).join(' ')),
  ]
    .filter(Boolean)
    .join(' ');
}

interface LogLine {
  readonly time: string;
  readonly level: string;
  readonly msg: string;
  readonly err?: { readonly code?: string; readonly message: string; readonly at?: readonly string[] };
}

const faint = 2;
const colours: Readonly<Record<string, number>> = { info: 32, warn: 33, error: 31 };

function word(value: unknown): string {
  return typeof value === 'string' && /^[\w./:@-]+$/.test(value) ? value : plain(JSON.stringify(value));
}

/** In one line, without anything a terminal would act upon. */
function plain(text: string): string {
  return stripVTControlCharacters(text).replaceAll(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, ' ');
}
