import { patternProblem } from '../patterns/pattern.ts';
import { ACCUMULATOR } from '../syntax/macros.ts';
import type { Call, Comprehension, Expr, ListExpr, MapExpr } from '../syntax/expr.ts';
import type { Checked } from '../types/check.ts';
import { DYN } from '../types/cel-type.ts';
import { equals } from '../values/equality.ts';
import { attempt, EvalError, noSuchOverload } from '../values/eval-error.ts';
import { PlainList } from '../values/list.ts';
import { PlainMap } from '../values/map.ts';
import { Optional } from '../values/optional.ts';
import type { CelValue } from '../values/value.ts';
import { hasField, indexInto, optionalAccess, orElse, selectField } from './access.ts';
import { callFunction } from './dispatch.ts';
import { type Eval, readSlot } from './frame.ts';
import { conditional, logical, notStrictlyFalse } from './logic.ts';
import { bind, collect, loop, type LoopSlots, quantify } from './loop.ts';

/** An expression that is well typed and yet cannot become a program. */
export class PlanError extends Error {
  override readonly name = 'PlanError';
}

/**
 * Turns a checked expression without issues into something that runs. Throws a {@link PlanError}.
 *
 * @param variables names of what the expression may refer to; its frames begin with their values, in this order
 */
export function plan(checked: Checked, variables: readonly string[]): Eval {
  return new Planner(checked, variables).plan(checked.expr);
}

class Planner {
  readonly #checked: Checked;
  readonly #locals: { readonly name: string; readonly slot: number }[] = [];
  readonly #variables: readonly string[];
  #nextSlot: number;

  constructor(checked: Checked, variables: readonly string[]) {
    this.#checked = checked;
    this.#variables = variables;
    this.#nextSlot = variables.length;
  }

  plan(expr: Expr): Eval {
    const reference = this.#checked.references.get(expr);
    if (reference?.kind === 'type') return typeReference(expr, reference.value);
    switch (expr.kind) {
      case 'literal':
        return () => expr.value;
      case 'ident':
        return readSlot(this.#slotOf(expr.name));
      case 'select': {
        // `a.b` may be the name of a variable.
        if (reference?.kind === 'variable') return readSlot(this.#variables.indexOf(reference.name));
        const operand = this.plan(expr.operand);
        return expr.testOnly ? hasField(operand, expr.field) : selectField(operand, expr.field);
      }
      case 'call':
        return this.#call(expr);
      case 'list':
        return this.#list(expr);
      case 'map':
        return this.#map(expr);
      case 'comprehension':
        return this.#comprehension(expr);
    }
  }

  #slotOf(written: string): number {
    const local = this.#locals.findLast(({ name }) => name === written);
    if (local) return local.slot;
    return this.#variables.indexOf(written.replace(/^\./, ''));
  }

  #call(expr: Call): Eval {
    const reference = this.#checked.references.get(expr);
    if (reference?.kind !== 'function') throw new Error(`call of ${expr.name} was not resolved`);
    const target = expr.target && !reference.isNamespaced ? [expr.target] : [];
    const operands = [...target, ...expr.args];
    const args = operands.map((arg) => this.plan(arg));
    const special = this.#special(reference.name, args);
    if (special) return special;
    const types = operands.map((arg) => this.#checked.types.get(arg) ?? DYN);
    const call = callFunction(reference.name, reference.overloads, args, types);
    if (FOLDED.has(reference.name) && operands.every(({ kind }) => kind === 'literal')) return folded(call);
    checkPattern(reference.name, expr.args[0]);
    return call;
  }

  #special(name: string, [first = nothing, second = nothing, third = nothing]: readonly Eval[]): Eval | undefined {
    switch (name) {
      case '_&&_':
        return logical(first, second, false);
      case '_||_':
        return logical(first, second, true);
      case '_?_:_':
        return conditional(first, second, third);
      case '@not_strictly_false':
        return notStrictlyFalse(first);
      case '_==_':
        return (frame) => equals(first(frame), second(frame));
      case '_!=_':
        return (frame) => !equals(first(frame), second(frame));
      case '_[_]':
        return indexInto(first, second);
      case '_?._':
      case '_[?_]':
        return optionalAccess(first, second);
      case 'or':
        return orElse(first, second, false);
      case 'orValue':
        return orElse(first, second, true);
      default:
        return undefined;
    }
  }

  #list({ elements }: ListExpr): Eval {
    const planned = elements.map(({ value, optional }) => ({ value: this.plan(value), optional }));
    const isConstant = elements.every(({ value, optional }) => value.kind === 'literal' && !optional);
    if (isConstant) {
      const list = new PlainList(planned.map(({ value }) => value([])));
      return () => list;
    }
    return (frame) => new PlainList(planned.flatMap(({ value, optional }) => present(value(frame), optional)));
  }

  #map({ entries }: MapExpr): Eval {
    const planned = entries.map(({ key, value, optional }) => ({
      key: this.plan(key),
      value: this.plan(value),
      optional,
    }));
    return (frame) =>
      new PlainMap(
        planned.flatMap(({ key, value, optional }) => {
          const name = key(frame);
          return present(value(frame), optional).map((inner): [CelValue, CelValue] => [name, inner]);
        }),
      );
  }

  #comprehension(expr: Comprehension): Eval {
    const range = this.plan(expr.range);
    const init = this.plan(expr.init);
    const depth = this.#locals.length;
    const accumulator = this.#declare(expr.accuVar);
    if (isBinding(expr)) {
      const result = this.plan(expr.result);
      this.#locals.length = depth;
      return bind(accumulator, init, result);
    }
    const first = this.#declare(expr.iterVar);
    const second = expr.iterVar2 === undefined ? undefined : this.#declare(expr.iterVar2);
    const slots: LoopSlots = { accumulator, first, second };
    const common = this.#commonLoop(expr, range, slots);
    if (common) {
      this.#locals.length = depth;
      return common;
    }
    const condition = this.plan(expr.condition);
    const step = this.plan(expr.step);
    this.#locals.length = depth + 1;
    const result = this.plan(expr.result);
    this.#locals.length = depth;
    return loop({ range, init, condition, step, result }, slots);
  }

  /** Loops that the usual macros make, without the detour over an accumulator. */
  #commonLoop({ init, step, result }: Comprehension, range: Eval, slots: LoopSlots): Eval | undefined {
    if (result.kind !== 'ident' || step.kind !== 'call') return undefined;
    const [first, second, third] = step.args;
    if (init.kind === 'literal' && isAccumulator(first) && second) {
      if (step.name === '_&&_') return quantify(range, slots, this.plan(second), false);
      if (step.name === '_||_') return quantify(range, slots, this.plan(second), true);
    }
    if (init.kind !== 'list') return undefined;
    const plain = appendedItem(step);
    if (plain) return collect(range, slots, undefined, this.plan(plain));
    const filtered = step.name === '_?_:_' && isAccumulator(third) && second ? appendedItem(second) : undefined;
    return filtered && first ? collect(range, slots, this.plan(first), this.plan(filtered)) : undefined;
  }

  #declare(name: string): number {
    const slot = this.#nextSlot++;
    this.#locals.push({ name, slot });
    return slot;
  }
}

/** Conversions of literals happen once. */
const FOLDED = new Set(['bool', 'bytes', 'double', 'duration', 'dyn', 'int', 'string', 'timestamp', 'type', 'uint']);

function folded(call: Eval): Eval {
  const value = attempt(() => call([]));
  if (value instanceof EvalError) throw new PlanError(value.message);
  return () => value;
}

function checkPattern(name: string, arg: Expr | undefined): void {
  if ((name !== 'find' && name !== 'findAll') || arg?.kind !== 'literal' || typeof arg.value !== 'string') return;
  const problem = patternProblem(arg.value);
  if (problem !== undefined) throw new PlanError(problem);
}

/** Two types have a name for the checker that nothing has while an expression runs. */
function typeReference(expr: Expr, value: CelValue): Eval {
  if (expr.kind === 'ident' && (expr.name === 'timestamp' || expr.name === 'duration')) {
    throw new PlanError(`reference to undefined type: ${expr.name}`);
  }
  return () => value;
}

/** `@result + [item]` */
function appendedItem(expr: Expr): Expr | undefined {
  if (expr.kind !== 'call' || expr.name !== '_+_' || !isAccumulator(expr.args[0])) return undefined;
  const list = expr.args[1];
  return list?.kind === 'list' && list.elements.length === 1 ? list.elements[0]?.value : undefined;
}

const isAccumulator = (expr: Expr | undefined) => expr?.kind === 'ident' && expr.name === ACCUMULATOR;

/** A loop over nothing, which only gives a value a name. */
export function isBinding({ range, condition, accuVar }: Comprehension): boolean {
  const isEmpty = range.kind === 'list' && range.elements.length === 0;
  return isEmpty && condition.kind === 'literal' && condition.value === false && accuVar !== ACCUMULATOR;
}

function present(value: CelValue, isOptional: boolean): CelValue[] {
  if (!isOptional) return [value];
  if (!(value instanceof Optional)) throw noSuchOverload();
  return value.hasValue ? [value.value] : [];
}

const nothing: Eval = () => {
  throw noSuchOverload();
};
