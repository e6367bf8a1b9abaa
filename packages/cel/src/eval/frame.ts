import { EvalError } from '../values/eval-error.ts';
import { Optional } from '../values/optional.ts';
import { untypedOptional } from '../values/untyped.ts';
import type { CelValue } from '../values/value.ts';

/** The variables of a running expression, those of loops behind the declared ones. A variable whose value could not be computed fails where it is used. */
export type Frame = (CelValue | EvalError | undefined)[] & {
  /** How many steps of loops the expression may still take; absent: any number. */
  stepsLeft?: number;
};

/** An expression that took more steps than it may. Unlike an `EvalError` it ends everything, whatever the rest says. */
export class TooManySteps extends Error {
  override readonly name = 'TooManySteps';
}

/** Counts a step of a loop. */
export function countStep(frame: Frame): void {
  if (frame.stepsLeft === undefined) return;
  frame.stepsLeft -= 1;
  if (frame.stepsLeft < 0) throw new TooManySteps('operation cancelled: actual cost limit exceeded');
}

/** Computes one part of an expression. */
export type Eval = (frame: Frame) => CelValue;

export function readSlot(slot: number): Eval {
  return (frame) => {
    const value = frame[slot];
    if (value instanceof EvalError) throw value;
    if (value === undefined) throw new EvalError('no such attribute(s)');
    return value instanceof Optional ? untypedOptional(value) : value;
  };
}
