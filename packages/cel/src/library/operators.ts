import {
  BOOL,
  BYTES,
  type CelType,
  DOUBLE,
  DURATION,
  INT,
  listOf,
  mapOf,
  param,
  STRING,
  TIMESTAMP,
  UINT,
} from '../types/cel-type.ts';
import { equals } from '../values/equality.ts';
import { EvalError, noSuchOverload } from '../values/eval-error.ts';
import { ListValue } from '../values/list.ts';
import { MapValue } from '../values/map.ts';
import { compare } from '../values/ordering.ts';
import { Duration, Timestamp } from '../values/scalars.ts';
import { Uint } from '../values/uint.ts';
import type { CelValue } from '../values/value.ts';
import { define, type FunctionDeclaration, global } from './declaration.ts';

const A = param('A');
const B = param('B');

const MAX_SECONDS = 253_402_300_799n;
const MIN_SECONDS = -62_135_596_800n;

/** Keeps an integer within 64 bits. */
export function int(value: bigint): bigint {
  if (BigInt.asIntN(64, value) !== value) throw new EvalError('integer overflow');
  return value;
}

export function uint(value: bigint): Uint {
  if (BigInt.asUintN(64, value) !== value) throw new EvalError('unsigned integer overflow');
  return new Uint(value);
}

export function duration(nanos: bigint): Duration {
  if (BigInt.asIntN(64, nanos) !== nanos) throw new EvalError('duration overflow');
  return new Duration(nanos);
}

export function timestamp(nanos: bigint): Timestamp {
  if (nanos < MIN_SECONDS * 1_000_000_000n || nanos >= (MAX_SECONDS + 1n) * 1_000_000_000n) {
    throw new EvalError('timestamp overflow');
  }
  return new Timestamp(nanos);
}

const divisor = (value: bigint, problem: string) => {
  if (value === 0n) throw new EvalError(problem);
  return value;
};

/** Adds two values of types that are known only now. */
export function add(a: CelValue, b: CelValue): CelValue {
  if (typeof a === 'bigint' && typeof b === 'bigint') return int(a + b);
  if (typeof a === 'number' && typeof b === 'number') return a + b;
  if (typeof a === 'string' && typeof b === 'string') return a + b;
  if (a instanceof ListValue && b instanceof ListValue) return a.concat(b);
  if (a instanceof Uint && b instanceof Uint) return uint(a.value + b.value);
  if (a instanceof Uint8Array && b instanceof Uint8Array) return Buffer.concat([a, b]);
  if (a instanceof Duration && b instanceof Duration) return duration(a.nanos + b.nanos);
  if (a instanceof Duration && b instanceof Timestamp) return timestamp(a.nanos + b.nanos);
  if (a instanceof Timestamp && b instanceof Duration) return timestamp(a.nanos + b.nanos);
  throw noSuchOverload();
}

function subtract(a: CelValue, b: CelValue): CelValue {
  if (typeof a === 'bigint' && typeof b === 'bigint') return int(a - b);
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  if (a instanceof Uint && b instanceof Uint) return uint(a.value - b.value);
  if (a instanceof Duration && b instanceof Duration) return duration(a.nanos - b.nanos);
  if (a instanceof Timestamp && b instanceof Timestamp) return duration(a.nanos - b.nanos);
  if (a instanceof Timestamp && b instanceof Duration) return timestamp(a.nanos - b.nanos);
  throw noSuchOverload();
}

function multiply(a: CelValue, b: CelValue): CelValue {
  if (typeof a === 'bigint' && typeof b === 'bigint') return int(a * b);
  if (typeof a === 'number' && typeof b === 'number') return a * b;
  if (a instanceof Uint && b instanceof Uint) return uint(a.value * b.value);
  throw noSuchOverload();
}

function divide(a: CelValue, b: CelValue): CelValue {
  if (typeof a === 'bigint' && typeof b === 'bigint') return int(a / divisor(b, 'division by zero'));
  if (typeof a === 'number' && typeof b === 'number') return a / b;
  if (a instanceof Uint && b instanceof Uint) return uint(a.value / divisor(b.value, 'division by zero'));
  throw noSuchOverload();
}

function modulo(a: CelValue, b: CelValue): CelValue {
  if (typeof a === 'bigint' && typeof b === 'bigint') return int(a % divisor(b, 'modulus by zero'));
  if (a instanceof Uint && b instanceof Uint) return uint(a.value % divisor(b.value, 'modulus by zero'));
  throw noSuchOverload();
}

function negate(value: CelValue): CelValue {
  if (typeof value === 'bigint') return int(-value);
  if (typeof value === 'number') return -value;
  throw noSuchOverload();
}

function not(value: CelValue): CelValue {
  if (typeof value === 'boolean') return !value;
  throw noSuchOverload();
}

function isIn(value: CelValue, container: CelValue): CelValue {
  if (container instanceof ListValue) return container.contains(value);
  if (container instanceof MapValue) return container.find(value) !== undefined;
  throw noSuchOverload();
}

/** The types that have an order, with the name they have in overload ids, in the order in which they are declared. */
const ORDERED: readonly (readonly [string, CelType, CelType])[] = [
  ['bool', BOOL, BOOL],
  ['int64', INT, INT],
  ['int64_double', INT, DOUBLE],
  ['int64_uint64', INT, UINT],
  ['uint64', UINT, UINT],
  ['uint64_double', UINT, DOUBLE],
  ['uint64_int64', UINT, INT],
  ['double', DOUBLE, DOUBLE],
  ['double_int64', DOUBLE, INT],
  ['double_uint64', DOUBLE, UINT],
  ['string', STRING, STRING],
  ['bytes', BYTES, BYTES],
  ['timestamp', TIMESTAMP, TIMESTAMP],
  ['duration', DURATION, DURATION],
];

function relation(name: string, id: string, holds: (order: number) => boolean): FunctionDeclaration {
  const run = (a: CelValue, b: CelValue) => holds(compare(a, b));
  return define(name, ...ORDERED.map(([types, left, right]) => global(`${id}_${types}`, [left, right], BOOL, run)));
}

const arithmetic = (
  name: string,
  run: (a: CelValue, b: CelValue) => CelValue,
  ...ids: [string, CelType, CelType, CelType][]
) => define(name, ...ids.map(([id, left, right, result]) => global(id, [left, right], result, run)));

/** Evaluated apart, because they do not need all of their arguments. */
const special = (): never => {
  throw noSuchOverload();
};

/** The operators of the language. */
export const OPERATORS: readonly FunctionDeclaration[] = [
  define('_?_:_', global('conditional', [BOOL, A, A], A, special)),
  define('_&&_', global('logical_and', [BOOL, BOOL], BOOL, special)),
  define('_||_', global('logical_or', [BOOL, BOOL], BOOL, special)),
  define('@not_strictly_false', global('not_strictly_false', [BOOL], BOOL, special)),
  define('!_', global('logical_not', [BOOL], BOOL, not)),
  define('_==_', global('equals', [A, A], BOOL, equals)),
  define(
    '_!=_',
    global('not_equals', [A, A], BOOL, (a: CelValue, b: CelValue) => !equals(a, b)),
  ),
  arithmetic(
    '_+_',
    add,
    ['add_bytes', BYTES, BYTES, BYTES],
    ['add_double', DOUBLE, DOUBLE, DOUBLE],
    ['add_duration_duration', DURATION, DURATION, DURATION],
    ['add_duration_timestamp', DURATION, TIMESTAMP, TIMESTAMP],
    ['add_timestamp_duration', TIMESTAMP, DURATION, TIMESTAMP],
    ['add_int64', INT, INT, INT],
    ['add_list', listOf(A), listOf(A), listOf(A)],
    ['add_string', STRING, STRING, STRING],
    ['add_uint64', UINT, UINT, UINT],
  ),
  arithmetic(
    '_/_',
    divide,
    ['divide_double', DOUBLE, DOUBLE, DOUBLE],
    ['divide_int64', INT, INT, INT],
    ['divide_uint64', UINT, UINT, UINT],
  ),
  arithmetic('_%_', modulo, ['modulo_int64', INT, INT, INT], ['modulo_uint64', UINT, UINT, UINT]),
  arithmetic(
    '_*_',
    multiply,
    ['multiply_double', DOUBLE, DOUBLE, DOUBLE],
    ['multiply_int64', INT, INT, INT],
    ['multiply_uint64', UINT, UINT, UINT],
  ),
  define('-_', global('negate_double', [DOUBLE], DOUBLE, negate), global('negate_int64', [INT], INT, negate)),
  arithmetic(
    '_-_',
    subtract,
    ['subtract_double', DOUBLE, DOUBLE, DOUBLE],
    ['subtract_duration_duration', DURATION, DURATION, DURATION],
    ['subtract_int64', INT, INT, INT],
    ['subtract_timestamp_duration', TIMESTAMP, DURATION, TIMESTAMP],
    ['subtract_timestamp_timestamp', TIMESTAMP, TIMESTAMP, DURATION],
    ['subtract_uint64', UINT, UINT, UINT],
  ),
  relation('_<_', 'less', (order) => order < 0),
  relation('_<=_', 'less_equals', (order) => order <= 0),
  relation('_>_', 'greater', (order) => order > 0),
  relation('_>=_', 'greater_equals', (order) => order >= 0),
  define('_[_]', global('index_list', [listOf(A), INT], A, special), global('index_map', [mapOf(A, B), A], B, special)),
  define('@in', global('in_list', [A, listOf(A)], BOOL, isIn), global('in_map', [A, mapOf(A, B)], BOOL, isIn)),
];
