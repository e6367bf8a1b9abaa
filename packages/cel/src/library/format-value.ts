import { formatTimestamp } from '../formats/go-time.ts';
import { compareBytes } from '../text/go-json.ts';
import { goFloat } from '../text/go-number.ts';
import { goQuote } from '../text/go-quote.ts';
import { EvalError } from '../values/eval-error.ts';
import { ListValue } from '../values/list.ts';
import { MapValue } from '../values/map.ts';
import { Duration, Timestamp, TypeValue } from '../values/scalars.ts';
import { typeNameOfValue } from '../values/show.ts';
import { Uint } from '../values/uint.ts';
import type { CelValue } from '../values/value.ts';
import { showDuration } from './conversions.ts';
import { type Clause, COMPLAINTS, FormatStringError, interpolate } from './format-string.ts';

const DEFAULT_PRECISION = 6;

/** `'%s has %d'.format([name, count])`. */
export function formatValues(format: string, values: ListValue): string {
  try {
    return interpolate(format, values.size, (clause, argument) => writeClause(clause, values.at(argument)));
  } catch (error) {
    if (error instanceof FormatStringError) throw new EvalError(error.message, { cause: error });
    throw error;
  }
}

function writeClause({ verb, precision = DEFAULT_PRECISION }: Clause, value: CelValue): string {
  const written = writeVerb(verb, precision, value);
  if (written !== undefined) return written;
  throw new EvalError(`error during formatting: ${COMPLAINTS[verb]}, was given ${typeNameOfValue(value)}`);
}

function writeVerb(verb: Clause['verb'], precision: number, value: CelValue): string | undefined {
  switch (verb) {
    case 's':
      return asText(value);
    case 'd':
      return wholeNumber(value)?.toString();
    case 'f':
      return decimal(value, (number) => grouped(fixed(number, precision)));
    case 'e':
      return decimal(value, scientific);
    case 'b':
      return typeof value === 'boolean' ? (value ? '1' : '0') : wholeNumber(value)?.toString(2);
    case 'o':
      return wholeNumber(value)?.toString(8);
    case 'x':
      return hexadecimal(value);
    case 'X':
      return hexadecimal(value)?.toUpperCase();
  }
}

function wholeNumber(value: CelValue): bigint | undefined {
  if (value instanceof Uint) return value.value;
  return typeof value === 'bigint' ? value : undefined;
}

function decimal(value: CelValue, write: (number: number) => string): string | undefined {
  if (value === 'NaN') return 'NaN';
  if (value === 'Infinity') return '\u221e';
  if (value === '-Infinity') return '-\u221e';
  return typeof value === 'number' ? write(value) : undefined;
}

/** Rounds half to even, as Go does; JavaScript rounds half away from zero. */
function fixed(number: number, precision: number): string {
  const rounded = number.toFixed(precision);
  const exact = number.toFixed(100);
  const cut = exact.length - (100 - precision);
  const isTie = /^50*$/.test(exact.slice(cut));
  const below = exact.slice(0, precision === 0 ? cut - 1 : cut);
  return isTie && /[02468]$/.test(below) ? below : rounded;
}

/** Numbers are written for readers of English: with commas, and powers of ten in full. */
const grouped = (digits: string) => digits.replace(/^(-?\d+)/, (whole) => whole.replace(/\B(?=(\d{3})+$)/g, ','));

function scientific(number: number): string {
  const [mantissa = '', exponent = '0'] = number.toExponential(DEFAULT_PRECISION).split('e');
  const sign = exponent.startsWith('-') ? '\u207b' : '';
  const digits = exponent.replace(/[+-]/, '').padStart(2, '0');
  return `${mantissa}\u202f\u00d7\u202f10${sign}${Array.from(digits, (digit) => '⁰¹²³⁴⁵⁶⁷⁸⁹'.charAt(Number(digit))).join('')}`;
}

function hexadecimal(value: CelValue): string | undefined {
  if (typeof value === 'string') return Buffer.from(value).toString('hex');
  if (value instanceof Uint8Array) return Buffer.from(value).toString('hex');
  return wholeNumber(value)?.toString(16);
}

function asText(value: CelValue): string | undefined {
  if (value === null) return 'null';
  if (typeof value === 'number') return goFloat(value);
  return value instanceof ListValue || value instanceof MapValue ? inCollection(value) : scalarText(value);
}

function scalarText(value: CelValue): string | undefined {
  if (typeof value === 'string') return value;
  if (typeof value === 'boolean' || typeof value === 'bigint') return String(value);
  if (value instanceof Uint) return value.value.toString();
  if (value instanceof Timestamp) return formatTimestamp(value.nanos);
  if (value instanceof Duration) return showDuration(value);
  if (value instanceof TypeValue) return value.name;
  return value instanceof Uint8Array ? new TextDecoder().decode(value) : undefined;
}

/** A value within a list or a map: as it would be written in an expression. */
function inCollection(value: CelValue): string {
  if (value instanceof ListValue) return `[${Array.from(value, inCollection).join(', ')}]`;
  if (value instanceof MapValue) {
    const entries = Array.from(value.keys(), (key): [string, string] => [
      inCollection(key),
      inCollection(value.get(key)),
    ]);
    return `{${entries
      .sort(([a], [b]) => compareBytes(a, b))
      .map(([key, inner]) => `${key}:${inner}`)
      .join(', ')}}`;
  }
  if (value === null) return 'null';
  if (typeof value === 'number')
    return Number.isFinite(value) ? fixed(value, DEFAULT_PRECISION) : goQuote(goFloat(value));
  const text = scalarText(value);
  if (text === undefined)
    throw new EvalError(`error during formatting: no formatting function for ${typeNameOfValue(value)}`);
  if (typeof value === 'string') return goQuote(text);
  if (value instanceof Uint8Array) return `b${goQuote(text)}`;
  if (value instanceof Timestamp) return `timestamp(${goQuote(text)})`;
  return value instanceof Duration ? `duration(${goQuote(text)})` : text;
}
