import { CelObject } from './cel-object.ts';
import { EvalError } from './eval-error.ts';
import { Uint } from './uint.ts';
import type { CelValue } from './value.ts';

/** Whether two values are equal. Numbers of different types are compared by what they are worth. */
export function equals(a: CelValue, b: CelValue): boolean {
  if (a === null || b === null) return a === b;
  if (typeof a === 'string' || typeof a === 'boolean') return a === b;
  if (typeof a === 'bigint' || typeof a === 'number') return sameNumber(a, b);
  if (a instanceof Uint) return sameNumber(a.value, b);
  if (a instanceof CelObject) return a.equals(b);
  return b instanceof Uint8Array && Buffer.compare(a, b) === 0;
}

/**
 * Compares with a part of another value that may be missing, or unreadable because it was made for an older schema: no
 * scalar is equal to what cannot be read.
 */
export function equalsRead(mine: CelValue, readTheirs: () => CelValue | undefined): boolean {
  try {
    const theirs = readTheirs();
    return theirs !== undefined && equals(mine, theirs);
  } catch (error) {
    const isCompound = mine instanceof CelObject && (mine.typeName === 'list' || mine.typeName === 'map');
    if (error instanceof EvalError && !isCompound) return false;
    throw error;
  }
}

function sameNumber(a: bigint | number, b: CelValue): boolean {
  const other = b instanceof Uint ? b.value : b;
  // oxlint-disable-next-line eqeqeq -- compares a bigint with a number exactly
  return (typeof other === 'bigint' || typeof other === 'number') && a == other;
}
