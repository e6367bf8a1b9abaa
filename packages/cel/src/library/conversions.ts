import { parseGoDuration } from '../formats/go-duration.ts';
import { formatTimestamp, parseTimestamp } from '../formats/go-time.ts';
import { goFloat, plainDecimal } from '../text/go-number.ts';
import {
  BOOL,
  BYTES,
  type CelType,
  DOUBLE,
  DURATION,
  DYN,
  INT,
  listOf,
  mapOf,
  param,
  STRING,
  TIMESTAMP,
  typeNameOf,
  typeOf,
  UINT,
} from '../types/cel-type.ts';
import { codePoints } from '../text/code-points.ts';
import { EvalError, noSuchOverload } from '../values/eval-error.ts';
import { ListValue } from '../values/list.ts';
import { MapValue } from '../values/map.ts';
import { type Duration, type Timestamp, TypeValue } from '../values/scalars.ts';
import { typeNameOfValue } from '../values/show.ts';
import type { Uint } from '../values/uint.ts';
import type { CelValue } from '../values/value.ts';
import { define, type FunctionDeclaration, global, member, type Overload } from './declaration.ts';
import { duration, int, timestamp, uint } from './operators.ts';

const same = (value: CelValue) => value;

/** One conversion; text that does not parse fails with the names of both types. */
const convert = (id: string, from: CelType, to: CelType, run: Overload['run']) => global(id, [from], to, run);

function fromText<T>(to: CelType, parse: (text: string) => T | undefined): (text: string) => T {
  return (text) => {
    const value = parse(text);
    if (value === undefined) throw new EvalError(`type conversion error from 'string' to '${typeNameOf(to)}'`);
    return value;
  };
}

const textToInt = fromText(INT, (text) =>
  /^[+-]?\d+$/.test(text) ? within(BigInt.asIntN, BigInt(text.replace('+', ''))) : undefined,
);
const textToUint = fromText(UINT, (text) => (/^\d+$/.test(text) ? within(BigInt.asUintN, BigInt(text)) : undefined));
const within = (narrow: (bits: number, value: bigint) => bigint, value: bigint) =>
  narrow(64, value) === value ? value : undefined;

const BOOLEANS: Readonly<Record<string, boolean>> = {
  '1': true,
  t: true,
  T: true,
  true: true,
  TRUE: true,
  True: true,
  '0': false,
  f: false,
  F: false,
  false: false,
  FALSE: false,
  False: false,
};
const textToBool = fromText(BOOL, (text) => (Object.hasOwn(BOOLEANS, text) ? BOOLEANS[text] : undefined));

const textToDouble = fromText(DOUBLE, (text) => {
  if (/^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/.test(text)) {
    const value = Number(text);
    return Number.isFinite(value) ? value : undefined;
  }
  const special = /^([+-]?)(?:inf|infinity|nan)$/i.exec(text);
  if (!special) return undefined;
  return /nan$/i.test(text) ? Number.NaN : special[1] === '-' ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
});

const textToDuration = fromText(DURATION, parseGoDuration);
const textToTimestamp = fromText(TIMESTAMP, parseTimestamp);

function doubleToInt(value: number): bigint {
  if (!Number.isFinite(value) || value <= -(2 ** 63) || value >= 2 ** 63) throw new EvalError('integer overflow');
  return BigInt(Math.trunc(value));
}

function doubleToUint(value: number): Uint {
  if (!Number.isFinite(value) || value < 0 || value >= 2 ** 64) throw new EvalError('unsigned integer overflow');
  return uint(BigInt(Math.trunc(value)));
}

function bytesToText(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (error) {
    throw new EvalError('invalid UTF-8 in bytes, cannot convert to string', { cause: error });
  }
}

/** A duration in seconds, as text. */
export const showDuration = ({ nanos }: Duration) => `${plainDecimal(Number(nanos) / 1e9)}s`;

/** Number of characters, bytes, elements or entries. */
export function sizeOf(value: CelValue): bigint {
  if (typeof value === 'string') return BigInt(codePoints(value));
  if (value instanceof ListValue || value instanceof MapValue) return BigInt(value.size);
  if (value instanceof Uint8Array) return BigInt(value.length);
  throw noSuchOverload();
}

const A = param('A');
const SIZED: readonly [string, CelType][] = [
  ['bytes', BYTES],
  ['list', listOf(A)],
  ['map', mapOf(A, param('B'))],
  ['string', STRING],
];

/** The functions that turn values of one type into another, and `size`. */
export const CONVERSIONS: readonly FunctionDeclaration[] = [
  define(
    'size',
    ...SIZED.flatMap(([name, type]) => [
      global(`size_${name}`, [type], INT, sizeOf),
      member(`${name}_size`, [type], INT, sizeOf),
    ]),
  ),
  define(
    'type',
    global('type', [A], typeOf(A), (value: CelValue) => new TypeValue(typeNameOfValue(value))),
  ),
  define('dyn', global('to_dyn', [A], DYN, same)),
  define('bool', convert('bool_to_bool', BOOL, BOOL, same), convert('string_to_bool', STRING, BOOL, textToBool)),
  define(
    'bytes',
    convert('bytes_to_bytes', BYTES, BYTES, same),
    convert('string_to_bytes', STRING, BYTES, (text: string) => new TextEncoder().encode(text)),
  ),
  define(
    'double',
    convert('double_to_double', DOUBLE, DOUBLE, same),
    convert('int64_to_double', INT, DOUBLE, (value: bigint) => Number(value)),
    convert('string_to_double', STRING, DOUBLE, textToDouble),
    convert('uint64_to_double', UINT, DOUBLE, ({ value }: Uint) => Number(value)),
  ),
  define(
    'duration',
    convert('duration_to_duration', DURATION, DURATION, same),
    convert('int64_to_duration', INT, DURATION, () => {
      throw new EvalError("type conversion error from 'int' to 'google.protobuf.Duration'");
    }),
    convert('string_to_duration', STRING, DURATION, (text: string) => duration(textToDuration(text))),
  ),
  define(
    'int',
    convert('int64_to_int64', INT, INT, same),
    convert('double_to_int64', DOUBLE, INT, doubleToInt),
    convert('duration_to_int64', DURATION, INT, ({ nanos }: Duration) => nanos),
    convert('string_to_int64', STRING, INT, textToInt),
    convert('timestamp_to_int64', TIMESTAMP, INT, ({ nanos }: Timestamp) => floorDivide(nanos, 1_000_000_000n)),
    convert('uint64_to_int64', UINT, INT, ({ value }: Uint) => int(value)),
  ),
  define(
    'string',
    convert('string_to_string', STRING, STRING, same),
    convert('bool_to_string', BOOL, STRING, (value: boolean) => String(value)),
    convert('bytes_to_string', BYTES, STRING, bytesToText),
    convert('double_to_string', DOUBLE, STRING, goFloat),
    convert('duration_to_string', DURATION, STRING, showDuration),
    convert('int64_to_string', INT, STRING, (value: bigint) => value.toString()),
    convert('timestamp_to_string', TIMESTAMP, STRING, ({ nanos }: Timestamp) => formatTimestamp(nanos)),
    convert('uint64_to_string', UINT, STRING, ({ value }: Uint) => value.toString()),
  ),
  define(
    'timestamp',
    convert('timestamp_to_timestamp', TIMESTAMP, TIMESTAMP, same),
    convert('int64_to_timestamp', INT, TIMESTAMP, (seconds: bigint) => timestamp(seconds * 1_000_000_000n)),
    convert('string_to_timestamp', STRING, TIMESTAMP, (text: string) => timestamp(textToTimestamp(text))),
  ),
  define(
    'uint',
    convert('uint64_to_uint64', UINT, UINT, same),
    convert('double_to_uint64', DOUBLE, UINT, doubleToUint),
    convert('int64_to_uint64', INT, UINT, uint),
    convert('string_to_uint64', STRING, UINT, (text: string) => uint(textToUint(text))),
  ),
];

/** Divides towards minus infinity. */
export function floorDivide(value: bigint, by: bigint): bigint {
  const quotient = value / by;
  return value % by < 0n ? quotient - 1n : quotient;
}
