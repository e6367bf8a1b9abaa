import { EvalError, noSuchOverload } from '../values/eval-error.ts';
import type { Eval, Frame } from './frame.ts';

/** A truth value, or why there is none. */
export type Truth = boolean | EvalError;

/** Computes a truth value without failing. */
export function truth(part: Eval, frame: Frame): Truth {
  try {
    const value = part(frame);
    return typeof value === 'boolean' ? value : noSuchOverload();
  } catch (error) {
    if (error instanceof EvalError) return error;
    throw error;
  }
}

/**
 * `&&` (decided by false) and `||` (decided by true). A side that fails does not matter when the other side decides.
 */
export function logical(left: Eval, right: Eval, decisive: boolean): Eval {
  return (frame) => {
    const first = truth(left, frame);
    if (first === decisive) return decisive;
    const second = truth(right, frame);
    if (second === decisive) return decisive;
    if (first instanceof EvalError) throw first;
    if (second instanceof EvalError) throw second;
    return !decisive;
  };
}

export function conditional(condition: Eval, yes: Eval, no: Eval): Eval {
  return (frame) => {
    const value = condition(frame);
    if (value === true) return yes(frame);
    if (value === false) return no(frame);
    throw noSuchOverload();
  };
}

/** True unless the operand is false; failures count as true, so that a loop goes on. */
export const notStrictlyFalse =
  (operand: Eval): Eval =>
  (frame) =>
    truth(operand, frame) !== false;
