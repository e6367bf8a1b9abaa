import { isObject } from '../schema/node.ts';
import { isInt64 } from './int64.ts';
import { DataMap } from './data.ts';
import { DataList } from './data-list.ts';
import { attempt, EvalError } from './eval-error.ts';
import { PlainMap } from './map.ts';
import { Optional } from './optional.ts';
import type { CelValue } from './value.ts';

const seen = new WeakMap<Optional, Optional>();

/**
 * An optional variable as expressions read it. Kubernetes takes such a value apart and puts it together again without its
 * schema: fields have the names they have in JSON, dates in it are strings, and the order of all lists matters.
 */
export function untypedOptional(optional: Optional): Optional {
  if (!optional.hasValue) return optional;
  const known = seen.get(optional) ?? Optional.of(untyped(attempt(() => optional.value)));
  seen.set(optional, known);
  return known;
}

function untyped(value: CelValue | EvalError): CelValue | EvalError {
  if (value instanceof EvalError) {
    return new EvalError(`unsupported conversion to ref.Val: (*errors.errorString)${value.message}`);
  }
  return value instanceof DataMap || value instanceof DataList ? plain(value.raw) : value;
}

function plain(json: unknown): CelValue {
  if (Array.isArray(json)) return new DataList(json, plain);
  if (isObject(json)) return new PlainMap(Object.entries(json).map(([name, value]) => [name, plain(value)]));
  if (typeof json === 'number' && isInt64(json)) return BigInt(json);
  return json as CelValue;
}
