import { BOOL, DYN, INT, listOf, mapOf, optionalOf, param, STRING } from '../types/cel-type.ts';
import { EvalError, noSuchOverload } from '../values/eval-error.ts';
import { type ListValue, PlainList } from '../values/list.ts';
import { PlainMap } from '../values/map.ts';
import { Optional } from '../values/optional.ts';
import { Duration } from '../values/scalars.ts';
import { show } from '../values/show.ts';
import { Uint } from '../values/uint.ts';
import type { CelValue } from '../values/value.ts';
import { define, type FunctionDeclaration, global, member } from './declaration.ts';

const K = param('K');
const V = param('V');
const OPTIONAL = optionalOf(V);

/** Whether a value is what a variable of its type starts with. Lists and maps of an object never are. */
function isZero(value: CelValue): boolean {
  if (value === null || value === false || value === '' || value === 0 || value === 0n) return true;
  if (value instanceof Uint) return value.value === 0n;
  if (value instanceof Duration) return value.nanos === 0n;
  if (value instanceof Uint8Array) return value.length === 0;
  return (value instanceof PlainList || value instanceof PlainMap) && value.size === 0;
}

function unwrap(list: ListValue): ListValue {
  const values = Array.from(list, (element) => {
    if (element instanceof Optional) return element;
    throw new EvalError(`value ${show(element)} is not optional`);
  });
  return new PlainList(values.filter(({ hasValue }) => hasValue).map(({ value }) => value));
}

const elementAt = (list: ListValue, at: number) => (list.size === 0 ? Optional.none : Optional.of(list.at(at)));

/** Evaluated apart: they look at their operand in their own way. */
const special = (): never => {
  throw noSuchOverload();
};

/** Values that may be missing. */
export const OPTIONALS: readonly FunctionDeclaration[] = [
  define(
    'optional.of',
    global('optional_of', [V], OPTIONAL, (value: CelValue) => Optional.of(value)),
  ),
  define(
    'optional.ofNonZeroValue',
    global('optional_ofNonZeroValue', [V], OPTIONAL, (value: CelValue) =>
      isZero(value) ? Optional.none : Optional.of(value),
    ),
  ),
  define(
    'optional.none',
    global('optional_none', [], OPTIONAL, () => Optional.none),
  ),
  define(
    'value',
    member('optional_value', [OPTIONAL], V, (optional: Optional) => optional.value),
  ),
  define(
    'hasValue',
    member('optional_hasValue', [OPTIONAL], BOOL, (optional: Optional) => optional.hasValue),
  ),
  define('or', member('optional_or_optional', [OPTIONAL, OPTIONAL], OPTIONAL, special)),
  define('orValue', member('optional_orValue_value', [OPTIONAL, V], V, special)),
  define('_?._', global('select_optional_field', [DYN, STRING], OPTIONAL, special)),
  define(
    '_[?_]',
    global('list_optindex_optional_int', [listOf(V), INT], OPTIONAL, special),
    global('optional_list_optindex_optional_int', [optionalOf(listOf(V)), INT], OPTIONAL, special),
    global('map_optindex_optional_value', [mapOf(K, V), K], OPTIONAL, special),
    global('optional_map_optindex_optional_value', [optionalOf(mapOf(K, V)), K], OPTIONAL, special),
  ),
  define(
    '_[_]',
    global('optional_list_index_int', [optionalOf(listOf(V)), INT], OPTIONAL, special),
    global('optional_map_index_value', [optionalOf(mapOf(K, V)), K], OPTIONAL, special),
  ),
  define(
    'first',
    member('list_first', [listOf(V)], OPTIONAL, (list: ListValue) => elementAt(list, 0)),
  ),
  define(
    'last',
    member('list_last', [listOf(V)], OPTIONAL, (list: ListValue) => elementAt(list, list.size - 1)),
  ),
  define('optional.unwrap', global('optional_unwrap', [listOf(OPTIONAL)], listOf(V), unwrap)),
  define('unwrapOpt', member('optional_unwrapOpt', [listOf(OPTIONAL)], listOf(V), unwrap)),
];
