import { goFloat } from '../text/go-number.ts';
import { CelObject } from './cel-object.ts';
import { Uint } from './uint.ts';
import type { CelValue } from './value.ts';

/** A value as it appears in the text of an error. */
export function show(value: CelValue): string {
  if (typeof value === 'number') return goFloat(value);
  if (value instanceof Uint) return value.value.toString();
  if (value instanceof CelObject) return value.typeName;
  return String(value);
}

/** The name of the type of a value while an expression runs. */
export function typeNameOfValue(value: CelValue): string {
  switch (typeof value) {
    case 'string':
      return 'string';
    case 'boolean':
      return 'bool';
    case 'bigint':
      return 'int';
    case 'number':
      return 'double';
    default:
      return value === null ? 'null_type' : value instanceof Uint8Array ? 'bytes' : value.typeName;
  }
}
