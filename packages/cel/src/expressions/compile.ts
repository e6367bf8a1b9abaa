import { maxCost } from '../cost/estimate.ts';
import type { Sizes } from '../cost/operand.ts';
import { type Budget, type Eval, type Frame, OutOfBudget } from '../eval/frame.ts';
import { plan, PlanError } from '../eval/plan.ts';
import { type CelType, DYN } from '../types/cel-type.ts';
import type { Checked } from '../types/check.ts';
import type { SchemaType } from '../types/schema-type.ts';
import { EvalError } from '../values/eval-error.ts';
import type { CelValue } from '../values/value.ts';
import { checkSource } from './check-source.ts';

/** What an expression may be told and what it must result in. */
export interface Environment {
  /** The variables by name: a type, or what a schema declares, which also says how large values can be. */
  readonly variables: Readonly<Record<string, CelType | SchemaType>>;
  /** What is wrong with the type of the result, or undefined; see `mustBe`. Default: any type will do. */
  readonly result?: (type: CelType) => string | undefined;
}

/** The values of variables. One that is missing, or that could not be read, fails where the expression uses it. */
export type Values = Readonly<Record<string, CelValue | EvalError | undefined>>;

/** An expression that can run. */
export interface Expression {
  readonly source: string;
  /** The type of the result. */
  readonly type: CelType;
  /** The variables that it refers to. */
  readonly uses: ReadonlySet<string>;
  /** The most it can cost, in the units of Kubernetes; infinite when nothing bounds the size of what it reads. */
  readonly maxCost: number;
  /** The value, or why there is none. Steps of loops are taken from the budget, if there is one. */
  run(values: Values, budget?: Budget): CelValue | EvalError;
}

/** An expression that cannot run, and why. */
export interface Rejected {
  readonly source: string;
  readonly problem: string;
  /** Whether it is well typed and shows its fault only when it is made ready to run. */
  readonly isInternal: boolean;
}

/**
 * Makes an expression ready to run, as often as needed; or says why it cannot run, as Kubernetes does.
 *
 * @param sizes where the estimate finds out how large data can be; default: what each variable declares
 */
export function compile(
  source: string,
  { variables, result }: Environment,
  sizes: Sizes = declaredBy(variables),
): Expression | Rejected {
  const types = new Map(Object.entries(variables).map(([name, declared]) => [name, typeOf(declared)]));
  const checked = checkSource(source, types);
  if ('problem' in checked) return { source, problem: checked.problem, isInternal: false };
  const type = checked.types.get(checked.expr) ?? DYN;
  const mismatch = result?.(type);
  if (mismatch !== undefined) return { source, problem: mismatch, isInternal: false };
  const names = Array.from(types.keys());
  try {
    const evaluate = plan(checked, names);
    return {
      source,
      type,
      uses: usedIn(checked),
      maxCost: maxCost(checked, sizes),
      run: (values, budget) =>
        runIn(
          names.map((name) => values[name]),
          evaluate,
          budget,
        ),
    };
  } catch (error) {
    if (!(error instanceof PlanError)) throw error;
    return { source, problem: `program instantiation failed: ${error.message}`, isInternal: true };
  }
}

function runIn(frame: Frame, evaluate: Eval, budget: Budget | undefined): CelValue | EvalError {
  if (budget) frame.budget = budget;
  try {
    return evaluate(frame);
  } catch (error) {
    if (error instanceof EvalError) return error;
    if (error instanceof OutOfBudget) return new EvalError(error.message);
    throw error;
  }
}

function usedIn({ references }: Checked): ReadonlySet<string> {
  const names = new Set<string>();
  for (const reference of references.values()) if (reference.kind === 'variable') names.add(reference.name);
  return names;
}

const typeOf = (declared: CelType | SchemaType) => ('kind' in declared ? declared : declared.type);

function declaredBy(variables: Environment['variables']): Sizes {
  return (name) => {
    const declared = Object.hasOwn(variables, name) ? variables[name] : undefined;
    return declared && 'type' in declared ? declared : undefined;
  };
}
