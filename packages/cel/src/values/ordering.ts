import { compareBytes } from '../text/go-json.ts';
import { EvalError, noSuchOverload } from './eval-error.ts';
import { Duration, Timestamp } from './scalars.ts';
import { Uint } from './uint.ts';
import type { CelValue } from './value.ts';

/** Negative, zero or positive, as `a` is less than, equal to or greater than `b`. Fails for values without an order. */
export function compare(a: CelValue, b: CelValue): number {
  if (typeof a === 'string' && typeof b === 'string') return compareBytes(a, b);
  if (typeof a === 'boolean' && typeof b === 'boolean') return Number(a) - Number(b);
  if (a instanceof Timestamp && b instanceof Timestamp) return sign(a.nanos, b.nanos);
  if (a instanceof Duration && b instanceof Duration) return sign(a.nanos, b.nanos);
  if (a instanceof Uint8Array && b instanceof Uint8Array) return Buffer.compare(a, b);
  const left = numberOf(a);
  const right = numberOf(b);
  if (left === undefined || right === undefined) throw noSuchOverload();
  if (Number.isNaN(left) || Number.isNaN(right)) throw new EvalError('NaN values cannot be ordered');
  return sign(left, right);
}

/** Whether values of this kind have an order. */
export function isOrdered(value: CelValue): boolean {
  if (typeof value === 'string' || typeof value === 'boolean' || numberOf(value) !== undefined) return true;
  return value instanceof Timestamp || value instanceof Duration || value instanceof Uint8Array;
}

function numberOf(value: CelValue): number | bigint | undefined {
  if (typeof value === 'bigint' || typeof value === 'number') return value;
  return value instanceof Uint ? value.value : undefined;
}

const sign = (a: number | bigint, b: number | bigint) => (a < b ? -1 : a > b ? 1 : 0);
