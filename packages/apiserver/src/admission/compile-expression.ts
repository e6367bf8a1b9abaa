import {
  type CelType,
  type CelValue,
  checkSource,
  DYN,
  EvalError,
  type Frame,
  plan,
  PlanError,
  type Program,
  showType,
  TooManySteps,
} from '@klutch/cel';
import { internalError, invalid } from '../schema/fields/field-error.ts';
import type { FieldCause } from '../status/status-error.ts';
import { declarations, type Scope, VARIABLES } from './environment.ts';

/** What one evaluation may cost. Every step of a loop costs one at least. */
const MAX_COST = 1_000_000;

/** What an expression of a policy must result in. */
export type Result = 'bool' | 'string' | 'text or null' | 'anything';

/** An expression that can run. */
export interface Expression {
  readonly source: string;
  readonly type: CelType;
  readonly run: Program;
}

/** An expression that cannot run, and why. */
export interface Failed {
  readonly source: string;
  readonly problem: string;
  /** Whether it is the fault of the expression, or shows only when it is made ready to run. */
  readonly isInternal: boolean;
}

/** Makes an expression of a policy ready to run. */
export function compileExpression(source: string, scope: Scope, result: Result): Expression | Failed {
  const checked = checkSource(source, declarations(scope));
  if ('problem' in checked) return { source, problem: checked.problem, isInternal: false };
  const type = checked.types.get(checked.expr) ?? DYN;
  const mismatch = mismatchOf(type, result);
  if (mismatch !== undefined) return { source, problem: mismatch, isInternal: false };
  try {
    return { source, type, run: plan(checked, VARIABLES, MAX_COST) };
  } catch (error) {
    if (!(error instanceof PlanError)) throw error;
    return { source, problem: `program instantiation failed: ${error.message}`, isInternal: true };
  }
}

/** The value of an expression, or why it has none. */
export function evaluate({ run }: Expression, frame: Frame): CelValue | EvalError {
  try {
    return run(...frame);
  } catch (error) {
    if (error instanceof EvalError) return error;
    if (error instanceof TooManySteps) return new EvalError(error.message);
    throw error;
  }
}

/** What is wrong with an expression, as a problem of the field it stands in. */
export function expressionCauses(compiled: Expression | Failed, field: string): readonly FieldCause[] {
  if (!('problem' in compiled)) return [];
  const { source, problem, isInternal } = compiled;
  return [isInternal ? internalError(field, problem) : invalid(field, source, problem)];
}

function mismatchOf(type: CelType, result: Result): string | undefined {
  switch (result) {
    case 'anything':
      return undefined;
    case 'text or null':
      if (type.kind === 'string' || type.kind === 'null') return undefined;
      return `must evaluate to one of [string null_type] but got ${showType(type)}`;
    default:
      return type.kind === result ? undefined : `must evaluate to ${result} but got ${showType(type)}`;
  }
}
