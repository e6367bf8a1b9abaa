import { EvalError } from '../values/eval-error.ts';
import { Optional } from '../values/optional.ts';
import { untypedOptional } from '../values/untyped.ts';
import type { CelValue } from '../values/value.ts';

/** The variables of a running expression, those of loops behind the declared ones. A variable whose value could not be computed fails where it is used. */
export type Frame = (CelValue | EvalError | undefined)[] & {
  budget?: Budget;
};

/** What expressions may cost while they run; several may share one. Every step of a loop costs one. */
export interface Budget {
  left: number;
}

/** An expression that used up its budget. Unlike an `EvalError` it ends everything, whatever the rest says. */
export class OutOfBudget extends Error {
  override readonly name = 'OutOfBudget';
}

/** Counts a step of a loop. */
export function countStep({ budget }: Frame): void {
  if (!budget) return;
  budget.left -= 1;
  if (budget.left < 0) throw new OutOfBudget('operation cancelled: actual cost limit exceeded');
}

/** Computes an expression or a part of one. Throws an `EvalError` when it has no value, and `OutOfBudget`. */
export type Eval = (frame: Frame) => CelValue;

export function readSlot(slot: number): Eval {
  return (frame) => {
    const value = frame[slot];
    if (value instanceof EvalError) throw value;
    if (value === undefined) throw new EvalError('no such attribute(s)');
    return value instanceof Optional ? untypedOptional(value) : value;
  };
}
