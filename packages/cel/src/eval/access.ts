import { unescapeField } from '../types/escape.ts';
import { DataMap } from '../values/data.ts';
import { EvalError, noSuchOverload } from '../values/eval-error.ts';
import { ListValue } from '../values/list.ts';
import { MapValue } from '../values/map.ts';
import { Optional } from '../values/optional.ts';
import { show } from '../values/show.ts';
import type { CelValue } from '../values/value.ts';
import type { Eval } from './frame.ts';

/** `operand.field` */
export function selectField(operand: Eval, field: string): Eval {
  // The name of the field in the object is the same for every object.
  const name = unescapeField(field);
  return (frame) => {
    const value = operand(frame);
    if (value instanceof DataMap) return value.getField(field, name);
    if (value instanceof MapValue) return value.get(field);
    if (value instanceof Optional) return optionalPart(value, field);
    throw new EvalError(`no such key: ${field}`);
  };
}

/** `has(operand.field)` */
export function hasField(operand: Eval, field: string): Eval {
  const name = unescapeField(field);
  return (frame) => {
    const value = operand(frame);
    if (value instanceof DataMap) return value.findField(field, name) !== undefined;
    if (value instanceof Optional) return optionalPart(value, field).hasValue;
    return value instanceof MapValue && value.find(field) !== undefined;
  };
}

/** `operand.?field` and `operand[?index]` */
export function optionalAccess(operand: Eval, index: Eval): Eval {
  return (frame) => {
    const value = operand(frame);
    return optionalPart(value instanceof Optional ? value : Optional.of(value), index(frame));
  };
}

/** `operand[index]` */
export function indexInto(operand: Eval, index: Eval): Eval {
  return (frame) => {
    const value = operand(frame);
    const key = index(frame);
    if (value instanceof ListValue || value instanceof MapValue) return value.get(key);
    if (value instanceof Optional) return optionalPart(value, key);
    throw new EvalError(`no such key: ${show(key)}`);
  };
}

function optionalPart(optional: Optional, key: CelValue): Optional {
  if (!optional.hasValue) return Optional.none;
  const { value } = optional;
  if (!(value instanceof MapValue) && !(value instanceof ListValue)) return Optional.none;
  const part = value.find(key);
  return part === undefined ? Optional.none : Optional.of(part);
}

/** `optional.or(other)` and `optional.orValue(value)`: the other one is computed only when needed. */
export function orElse(operand: Eval, otherwise: Eval, isUnwrapping: boolean): Eval {
  return (frame) => {
    const optional = operand(frame);
    if (!(optional instanceof Optional)) throw noSuchOverload();
    if (!optional.hasValue) return otherwise(frame);
    return isUnwrapping ? optional.value : optional;
  };
}
