import { compilePattern, PatternError } from '../patterns/pattern.ts';
import { SHORT_ESCAPES } from '../text/go-quote.ts';
import { BOOL, DYN, INT, listOf, STRING } from '../types/cel-type.ts';
import { EvalError } from '../values/eval-error.ts';
import { type ListValue, PlainList } from '../values/list.ts';
import { show } from '../values/show.ts';
import { define, type FunctionDeclaration, global, member } from './declaration.ts';
import { formatValues } from './format-value.ts';

/** Positions count code points, not units. */
const chars = (text: string) => Array.from(text);

const outOfRange = (index: bigint) => new EvalError(`index out of range: ${index}`);

function charAt(text: string, index: bigint): string {
  const all = chars(text);
  if (index < 0n || index > BigInt(all.length)) throw outOfRange(index);
  return all[Number(index)] ?? '';
}

function indexOf(text: string, part: string, offset = 0n): bigint {
  if (part === '') return offset;
  if (offset < 0n) throw outOfRange(offset);
  const all = chars(text);
  const wanted = chars(part);
  for (let at = Number(offset); at + wanted.length <= all.length; at++) if (hasAt(all, wanted, at)) return BigInt(at);
  return -1n;
}

function lastIndexOf(text: string, part: string, offset?: bigint): bigint {
  const all = chars(text);
  if (part === '') return offset ?? BigInt(all.length);
  const start = offset ?? BigInt(all.length - 1);
  const wanted = chars(part);
  if (offset !== undefined && start < 0n) throw outOfRange(start);
  if (offset !== undefined && start >= BigInt(all.length)) return -1n;
  for (let at = Math.min(Number(start), all.length - wanted.length); at >= 0; at--)
    if (hasAt(all, wanted, at)) return BigInt(at);
  return -1n;
}

const hasAt = (all: readonly string[], wanted: readonly string[], at: number) =>
  wanted.every((char, offset) => all[at + offset] === char);

function substring(text: string, start: bigint, end?: bigint): string {
  const all = chars(text);
  const length = BigInt(all.length);
  if (end !== undefined && start > end) throw new EvalError(`invalid substring range. start: ${start}, end: ${end}`);
  if (start < 0n || start > length) throw outOfRange(start);
  if (end !== undefined && (end < 0n || end > length)) throw outOfRange(end);
  return all.slice(Number(start), end === undefined ? undefined : Number(end)).join('');
}

/** Replaces the first `limit` occurrences; all of them when it is negative. Nothing is found between all characters. */
function replace(text: string, old: string, replacement: string, limit = -1n): string {
  const pieces = split(text, old, limit < 0n ? -1n : limit + 1n);
  if (old !== '' || limit === 0n) return limit === 0n ? text : pieces.join(replacement);
  const all = chars(text);
  const count = limit < 0n ? all.length + 1 : Math.min(Number(limit), all.length + 1);
  const marked = all.map((char, at) => (at < count ? replacement : '') + char).join('');
  return marked + (count > all.length ? replacement : '');
}

function split(text: string, separator: string, limit = -1n): string[] {
  if (limit === 0n) return [];
  const all = separator === '' ? chars(text) : text.split(separator);
  if (limit < 0n || all.length <= limit) return all;
  const kept = Number(limit) - 1;
  return [...all.slice(0, kept), all.slice(kept).join(separator)];
}

const asciiOnly = (change: (char: string) => string, letters: RegExp) => (text: string) =>
  text.replace(letters, change);

function join(list: ListValue, separator = ''): string {
  const parts = Array.from(list, (part) => {
    if (typeof part === 'string') return part;
    throw new EvalError(`join: invalid input: ${show(part)}`);
  });
  return parts.join(separator);
}

/** Unlike Go's quoting, it escapes only what has a short escape. */
const quote = (text: string) => `"${Array.from(text, (char) => SHORT_ESCAPES[char] ?? char).join('')}"`;

/** Go trims what Unicode calls white space; JavaScript also trims the byte-order mark. */
const trim = (text: string) => text.replace(/^[\p{White_Space}]+|[\p{White_Space}]+$/gu, '');

function pattern(source: string, problem: (message: string) => string) {
  try {
    return compilePattern(source);
  } catch (error) {
    if (error instanceof PatternError) throw new EvalError(problem(error.message), { cause: error });
    throw error;
  }
}

const matches = (text: string, source: string) => pattern(source, (message) => message).test(text);
const find = (text: string, source: string) =>
  pattern(source, (message) => `Illegal regex: ${message}`).find(text) ?? '';
const findAll = (text: string, source: string, limit = -1n) =>
  new PlainList(pattern(source, (message) => `Illegal regex: ${message}`).findAll(text, Number(limit)));

const texts = (parts: readonly string[]) => new PlainList(parts);

/** The string functions of the language, of its extension, and of Kubernetes. */
export const STRINGS: readonly FunctionDeclaration[] = [
  define(
    'contains',
    member('contains_string', [STRING, STRING], BOOL, (text: string, part: string) => text.includes(part)),
  ),
  define(
    'endsWith',
    member('ends_with_string', [STRING, STRING], BOOL, (text: string, end: string) => text.endsWith(end)),
  ),
  define(
    'startsWith',
    member('starts_with_string', [STRING, STRING], BOOL, (text: string, start: string) => text.startsWith(start)),
  ),
  define(
    'matches',
    global('matches', [STRING, STRING], BOOL, matches),
    member('matches_string', [STRING, STRING], BOOL, matches),
  ),
  define('find', member('string_find_string', [STRING, STRING], STRING, find)),
  define(
    'findAll',
    member('string_find_all_string', [STRING, STRING], listOf(STRING), findAll),
    member('string_find_all_string_int', [STRING, STRING, INT], listOf(STRING), findAll),
  ),
  define('charAt', member('string_char_at_int', [STRING, INT], STRING, charAt)),
  define(
    'indexOf',
    member('string_index_of_string', [STRING, STRING], INT, indexOf),
    member('string_index_of_string_int', [STRING, STRING, INT], INT, indexOf),
  ),
  define(
    'lastIndexOf',
    member('string_last_index_of_string', [STRING, STRING], INT, lastIndexOf),
    member('string_last_index_of_string_int', [STRING, STRING, INT], INT, lastIndexOf),
  ),
  define(
    'lowerAscii',
    member(
      'string_lower_ascii',
      [STRING],
      STRING,
      asciiOnly((char) => char.toLowerCase(), /[A-Z]/g),
    ),
  ),
  define(
    'upperAscii',
    member(
      'string_upper_ascii',
      [STRING],
      STRING,
      asciiOnly((char) => char.toUpperCase(), /[a-z]/g),
    ),
  ),
  define(
    'replace',
    member('string_replace_string_string', [STRING, STRING, STRING], STRING, replace),
    member('string_replace_string_string_int', [STRING, STRING, STRING, INT], STRING, replace),
  ),
  define(
    'split',
    member('string_split_string', [STRING, STRING], listOf(STRING), (text: string, separator: string) =>
      texts(split(text, separator)),
    ),
    member(
      'string_split_string_int',
      [STRING, STRING, INT],
      listOf(STRING),
      (text: string, separator: string, limit: bigint) => texts(split(text, separator, limit)),
    ),
  ),
  define(
    'substring',
    member('string_substring_int', [STRING, INT], STRING, substring),
    member('string_substring_int_int', [STRING, INT, INT], STRING, substring),
  ),
  define('trim', member('string_trim', [STRING], STRING, trim)),
  define('format', member('string_format', [STRING, listOf(DYN)], STRING, formatValues)),
  define('strings.quote', global('strings_quote', [STRING], STRING, quote)),
  define(
    'join',
    member('list_join', [listOf(STRING)], STRING, join),
    member('list_join_string', [listOf(STRING), STRING], STRING, join),
  ),
];
