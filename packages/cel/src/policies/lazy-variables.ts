import type { Expression } from '../expressions/compile.ts';
import { unescapeField } from '../types/escape.ts';
import { EvalError, noSuchOverload } from '../values/eval-error.ts';
import { MapValue } from '../values/map.ts';
import type { CelValue } from '../values/value.ts';
import type { Compiled, CompiledPolicy } from './compile-policy.ts';

type RunExpression = (expression: Expression) => CelValue | EvalError;

/** The variable `variables`: each is computed when it is first used, and once. */
export class LazyVariables extends MapValue {
  readonly #expressions: ReadonlyMap<string, Compiled>;
  readonly #run: RunExpression;
  readonly #computed = new Map<string, CelValue | EvalError>();

  constructor(variables: CompiledPolicy['variables'], run: RunExpression) {
    super();
    this.#expressions = new Map(variables.map(({ name, expression }) => [name, expression]));
    this.#run = run;
  }

  override get size(): number {
    return this.#expressions.size;
  }

  override find(key: CelValue): CelValue | undefined {
    if (typeof key !== 'string') throw noSuchOverload();
    const name = unescapeField(key);
    const expression = name === undefined ? undefined : this.#expressions.get(name);
    if (name === undefined || !expression) return undefined;
    const value = this.#computed.get(name) ?? this.#compute(name, expression);
    this.#computed.set(name, value);
    if (value instanceof EvalError) throw value;
    return value;
  }

  override keys(): Iterable<CelValue> {
    return this.#expressions.keys();
  }

  override equals(other: CelValue): boolean {
    return this === other;
  }

  #compute(name: string, expression: Compiled): CelValue | EvalError {
    const named = `composited variable ${JSON.stringify(name)}`;
    if ('problem' in expression) return new EvalError(`${named} fails to compile: ${expression.problem}`);
    const value = this.#run(expression);
    return value instanceof EvalError ? new EvalError(`${named} fails to evaluate: ${value.message}`) : value;
  }
}
