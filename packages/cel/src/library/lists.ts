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
  UINT,
} from '../types/cel-type.ts';
import { equals } from '../values/equality.ts';
import { EvalError } from '../values/eval-error.ts';
import { ListValue, PlainList } from '../values/list.ts';
import { type MapValue, PlainMap } from '../values/map.ts';
import { compare, isOrdered } from '../values/ordering.ts';
import { Duration } from '../values/scalars.ts';
import { show, typeNameOfValue } from '../values/show.ts';
import { Uint } from '../values/uint.ts';
import type { CelValue } from '../values/value.ts';
import { define, type FunctionDeclaration, global, member } from './declaration.ts';
import { add } from './operators.ts';

const T = param('T');
const K = param('K');
const V = param('V');

const COMPARABLE: readonly [string, CelType][] = [
  ['int', INT],
  ['uint', UINT],
  ['double', DOUBLE],
  ['bool', BOOL],
  ['duration', DURATION],
  ['timestamp', TIMESTAMP],
  ['string', STRING],
  ['bytes', BYTES],
];

const SUMMABLE: readonly [string, CelType, CelValue][] = [
  ['int', INT, 0n],
  ['uint', UINT, new Uint(0n)],
  ['double', DOUBLE, 0],
  ['duration', DURATION, new Duration(0n)],
];

/** Negative when the list is not in ascending order. */
function isSorted(list: ListValue): boolean {
  for (let at = 1; at < list.size; at++) if (compare(list.at(at - 1), list.at(at)) > 0) return false;
  return true;
}

const sumFrom = (zero: CelValue) => (list: ListValue) => {
  let sum = zero;
  for (const element of list) sum = add(sum, element);
  return sum;
};

/** The first of the extreme elements. */
const extreme = (name: string, isBetter: (order: number) => boolean) => (list: ListValue) => {
  let best: CelValue | undefined;
  for (const element of list) {
    if (best === undefined || isBetter(compare(element, best))) best = element;
  }
  if (best === undefined) throw new EvalError(`${name} called on empty list`);
  return best;
};

function indexOf(list: ListValue, wanted: CelValue): bigint {
  for (let at = 0; at < list.size; at++) if (equals(list.at(at), wanted)) return BigInt(at);
  return -1n;
}

function lastIndexOf(list: ListValue, wanted: CelValue): bigint {
  for (let at = list.size - 1; at >= 0; at--) if (equals(list.at(at), wanted)) return BigInt(at);
  return -1n;
}

function slice(list: ListValue, start: bigint, end: bigint): ListValue {
  const failure = (problem: string) => new EvalError(`cannot slice(${start}, ${end}), ${problem}`);
  if (start < 0n || end < 0n) throw failure('negative indexes not supported');
  if (start > end) throw failure('start index must be less than or equal to end index');
  if (BigInt(list.size) < end) throw failure(`list is length ${list.size}`);
  return new PlainList([...list].slice(Number(start), Number(end)));
}

function flatten(list: ListValue, depth = 1n): ListValue {
  if (depth < 0n) throw new EvalError('level must be non-negative');
  const flat = (from: ListValue, levels: bigint): CelValue[] =>
    [...from].flatMap((element) =>
      element instanceof ListValue && levels > 0n ? flat(element, levels - 1n) : [element],
    );
  return new PlainList(flat(list, depth));
}

function sortBy(list: ListValue, keys: ListValue): ListValue {
  const [first] = keys;
  if (first === undefined) return list;
  if (!isOrdered(first)) throw new EvalError('list elements must be comparable');
  const type = typeNameOfValue(first);
  const pairs = Array.from(keys, (key, at): [CelValue, CelValue] => [key, list.at(at)]);
  if (pairs.some(([key]) => typeNameOfValue(key) !== type))
    throw new EvalError('list elements must have the same type');
  return new PlainList(pairs.sort(([a], [b]) => compare(a, b)).map(([, element]) => element));
}

function distinct(list: ListValue): ListValue {
  const kept: CelValue[] = [];
  for (const element of list) if (!kept.some((other) => equals(element, other))) kept.push(element);
  return new PlainList(kept);
}

function range(count: bigint): ListValue {
  if (count > 1_000_000n) throw new EvalError('operation cancelled: actual cost limit exceeded');
  return new PlainList(Array.from({ length: Math.max(Number(count), 0) }, (_, at) => BigInt(at)));
}

function insert(map: MapValue, key: CelValue, value: CelValue): MapValue {
  if (map.find(key) !== undefined) throw new EvalError(`insert failed: key ${show(key)} already exists`);
  return new PlainMap([...entriesOf(map), [key, value]]);
}

const entriesOf = (map: MapValue) => Array.from(map.keys(), (key): [CelValue, CelValue] => [key, map.get(key)]);

function insertAll(map: MapValue, more: MapValue): MapValue {
  let result = map;
  for (const [key, value] of entriesOf(more)) result = insert(result, key, value);
  return result;
}

const containsAll = (list: ListValue, part: ListValue) => [...part].every((element) => list.contains(element));

const perComparable = (
  id: (name: string) => string,
  result: (type: CelType) => CelType,
  run: (list: ListValue) => CelValue,
) => COMPARABLE.map(([name, type]) => member(id(name), [listOf(type)], result(type), run));

/** Lists, sets and maps: the libraries of Kubernetes and the extensions it includes. */
export const LISTS: readonly FunctionDeclaration[] = [
  define(
    'isSorted',
    ...perComparable(
      (name) => `list_${name}_is_sorted_bool`,
      () => BOOL,
      isSorted,
    ),
  ),
  define(
    'sum',
    ...SUMMABLE.map(([name, type, zero]) => member(`list_${name}_sum_${name}`, [listOf(type)], type, sumFrom(zero))),
  ),
  define(
    'max',
    ...perComparable(
      (name) => `list_${name}_max_${name}`,
      (type) => type,
      extreme('max', (order) => order > 0),
    ),
  ),
  define(
    'min',
    ...perComparable(
      (name) => `list_${name}_min_${name}`,
      (type) => type,
      extreme('min', (order) => order < 0),
    ),
  ),
  define('indexOf', member('list_a_index_of_int', [listOf(param('A')), param('A')], INT, indexOf)),
  define('lastIndexOf', member('list_a_last_index_of_int', [listOf(param('A')), param('A')], INT, lastIndexOf)),
  define('slice', member('list_slice', [listOf(T), INT, INT], listOf(T), slice)),
  define(
    'flatten',
    member('list_flatten', [listOf(listOf(T))], listOf(T), flatten),
    member('list_flatten_int', [listOf(DYN), INT], listOf(DYN), flatten),
  ),
  define(
    'sort',
    ...COMPARABLE.map(([, type]) =>
      member(`list_${typeNameOf(type)}_sort`, [listOf(type)], listOf(type), (list: ListValue) => sortBy(list, list)),
    ),
  ),
  define(
    '@sortByAssociatedKeys',
    ...COMPARABLE.map(([, type]) =>
      member(`list_${typeNameOf(type)}_sortByAssociatedKeys`, [listOf(T), listOf(type)], listOf(T), sortBy),
    ),
  ),
  define('lists.range', global('lists_range', [INT], listOf(INT), range)),
  define(
    'reverse',
    member('list_reverse', [listOf(T)], listOf(T), (list: ListValue) => new PlainList([...list].reverse())),
  ),
  define('distinct', member('list_distinct', [listOf(T)], listOf(T), distinct)),
  define('sets.contains', global('list_sets_contains_list', [listOf(T), listOf(T)], BOOL, containsAll)),
  define(
    'sets.equivalent',
    global(
      'list_sets_equivalent_list',
      [listOf(T), listOf(T)],
      BOOL,
      (a: ListValue, b: ListValue) => containsAll(a, b) && containsAll(b, a),
    ),
  ),
  define(
    'sets.intersects',
    global('list_sets_intersects_list', [listOf(T), listOf(T)], BOOL, (a: ListValue, b: ListValue) =>
      [...a].some((element) => b.contains(element)),
    ),
  ),
  define(
    'cel.@mapInsert',
    global('cel_@mapInsert_map_key_value', [mapOf(K, V), K, V], mapOf(K, V), insert),
    global('cel_@mapInsert_map_map', [mapOf(K, V), mapOf(K, V)], mapOf(K, V), insertAll),
  ),
];
