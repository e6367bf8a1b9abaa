import { type CelType, DYN } from '@klutch/cel';
import { compileExpression, type Expression, type Failed } from './compile-expression.ts';
import { variableType } from './environment.ts';
import type { PolicySpec, Validation } from './policy-objects.ts';

/** An expression and what became of it. */
export type Compiled = Expression | Failed;

/** One validation of a policy with its expressions. */
export interface CompiledValidation {
  readonly source: Validation;
  readonly expression: Compiled;
  /** Undefined when the message is fixed. */
  readonly message: Compiled | undefined;
}

/** A policy that is ready to be evaluated. */
export interface CompiledPolicy {
  readonly matchConditions: readonly Compiled[];
  /** In the order in which they may refer to each other. */
  readonly variables: readonly { readonly name: string; readonly expression: Compiled }[];
  readonly validations: readonly CompiledValidation[];
  readonly auditAnnotations: readonly Compiled[];
}

/** Compiles the expressions of a policy. Those that are wrong are part of the outcome; nothing is thrown. */
export function compilePolicy(spec: PolicySpec): CompiledPolicy {
  const { paramKind, matchConditions = [], variables = [], validations = [], auditAnnotations = [] } = spec;
  const hasParams = paramKind !== undefined;
  const types = new Map<string, CelType>();
  const known = variables.length > 0 ? types : undefined;
  const full = { hasParams, hasAuthorizer: true, variables: known };
  const compiledVariables = variables.map(({ name, expression }) => {
    const compiled = compileExpression(expression, full, 'anything');
    types.set(name, 'type' in compiled ? variableType(compiled.type) : DYN);
    return { name, expression: compiled };
  });
  return {
    // Conditions decide whether there is anything to compute, so that they see no variables.
    matchConditions: matchConditions.map(({ expression }) =>
      compileExpression(expression.trim(), { ...full, variables: undefined }, 'bool'),
    ),
    variables: compiledVariables,
    validations: validations.map((source) => ({
      source,
      expression: compileExpression(source.expression, full, 'bool'),
      message: source.messageExpression
        ? compileExpression(source.messageExpression, { ...full, hasAuthorizer: false }, 'string')
        : undefined,
    })),
    auditAnnotations: auditAnnotations.map(({ valueExpression }) =>
      compileExpression(valueExpression, full, 'text or null'),
    ),
  };
}
