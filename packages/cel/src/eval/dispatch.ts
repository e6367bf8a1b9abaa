import type { Overload } from '../library/declaration.ts';
import type { CelType } from '../types/cel-type.ts';
import { typeNameOf } from '../types/cel-type.ts';
import { EvalError } from '../values/eval-error.ts';
import { typeNameOfValue } from '../values/show.ts';
import type { CelValue } from '../values/value.ts';
import type { Eval } from './frame.ts';

type Run = (...args: readonly CelValue[]) => CelValue;

/** A call of a function. Where types are known only now, the overload that fits the values is taken. */
export function callFunction(
  name: string,
  overloads: readonly Overload[],
  args: readonly Eval[],
  types: readonly CelType[],
): Eval {
  const [only] = overloads;
  const isCertain = only !== undefined && overloads.length === 1 && types.every(({ kind }) => kind !== 'dyn');
  const run = isCertain ? (only.run as Run) : chooseLater(name, overloads);
  const [first, second] = args;
  if (first && args.length === 1) return (frame) => run(first(frame));
  if (first && second && args.length === 2) {
    return (frame) => {
      const left = first(frame);
      return run(left, second(frame));
    };
  }
  return (frame) => run(...args.map((arg) => arg(frame)));
}

function chooseLater(name: string, overloads: readonly Overload[]): Run {
  // Operators look at their operands themselves, and have their own words for those that do not fit.
  const [first] = overloads;
  if (first && /^(_|!|-|@in)/.test(name)) return first.run as Run;
  return (...args) => {
    const fitting = overloads.find((overload) => overload.args.every((type, at) => fits(args[at] ?? null, type)));
    if (fitting) return (fitting.run as Run)(...args);
    throw new EvalError(complaint(name, args));
  };
}

/** Functions that look at their arguments themselves name neither themselves nor the arguments. */
const TERSE = new Set(['contains', 'endsWith', 'find', 'findAll', 'matches', 'startsWith']);

function complaint(name: string, args: readonly CelValue[]): string {
  if (TERSE.has(name)) return 'no such overload';
  return `no such overload: ${name}${name === 'size' ? '' : `(${args.map(typeNameOfValue).join(', ')})`}`;
}

function fits(value: CelValue, type: CelType): boolean {
  return type.kind === 'param' || type.kind === 'dyn' || typeNameOf(type) === typeNameOfValue(value);
}
