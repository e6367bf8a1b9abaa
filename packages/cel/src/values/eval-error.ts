/** An expression that has no value: a missing key, a division by zero, arguments of types that do not fit. */
export class EvalError extends Error {
  override readonly name = 'EvalError';
}

/** Arguments of an operator or function that do not fit, known only while it runs. */
export const noSuchOverload = () => new EvalError('no such overload');

/** Computes now, and keeps a failure for whoever uses the value. */
export function attempt<T>(work: () => T): T | EvalError {
  try {
    return work();
  } catch (error) {
    if (error instanceof EvalError) return error;
    throw error;
  }
}
