import { type CelValue, EvalError, type Frame, MapValue, noSuchOverload, unescapeField } from '@klutch/cel';
import { evaluate } from './compile-expression.ts';
import type { Compiled, CompiledPolicy } from './compile-policy.ts';

/** The variable `variables`: each is computed when it is first used, and once. */
export class LazyVariables extends MapValue {
  readonly #expressions: ReadonlyMap<string, Compiled>;
  readonly #frame: () => Frame;
  readonly #computed = new Map<string, CelValue | EvalError>();

  /** @param frame what the expressions of the variables see */
  constructor(variables: CompiledPolicy['variables'], frame: () => Frame) {
    super();
    this.#expressions = new Map(variables.map(({ name, expression }) => [name, expression]));
    this.#frame = frame;
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
    const value = evaluate(expression, this.#frame());
    return value instanceof EvalError ? new EvalError(`${named} fails to evaluate: ${value.message}`) : value;
  }
}
