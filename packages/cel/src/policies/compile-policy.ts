import { compile, type Expression, type Rejected } from '../expressions/compile.ts';
import { mustBe } from '../expressions/must-be.ts';
import { BOOL, type CelType, DYN, NULL, STRING } from '../types/cel-type.ts';
import { policyVariables, variableType } from './environment.ts';
import type { PolicyExpressions, Validation } from './policy.ts';

/** An expression and what became of it. */
export type Compiled = Expression | Rejected;

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
export function compilePolicy(spec: PolicyExpressions): CompiledPolicy {
  const { paramKind, matchConditions = [], variables = [], validations = [], auditAnnotations = [] } = spec;
  const hasParams = paramKind !== undefined;
  const types = new Map<string, CelType>();
  const known = variables.length > 0 ? types : undefined;
  // Later variables see the types of those before.
  const full = () => policyVariables({ hasParams, hasAuthorizer: true, variables: known });
  const compiledVariables = variables.map(({ name, expression }) => {
    const compiled = compile(expression, { variables: full() });
    types.set(name, 'type' in compiled ? variableType(compiled.type) : DYN);
    return { name, expression: compiled };
  });
  const unseen = { hasParams, hasAuthorizer: true, variables: undefined };
  const forMessages = policyVariables({ hasParams, hasAuthorizer: false, variables: known });
  const isTrue = { variables: full(), result: mustBe(BOOL) };
  return {
    // Conditions decide whether there is anything to compute, so that they see no variables.
    matchConditions: matchConditions.map(({ expression }) =>
      compile(expression.trim(), { ...isTrue, variables: policyVariables(unseen) }),
    ),
    variables: compiledVariables,
    validations: validations.map((source) => ({
      source,
      expression: compile(source.expression, isTrue),
      message: source.messageExpression
        ? compile(source.messageExpression, { variables: forMessages, result: mustBe(STRING) })
        : undefined,
    })),
    auditAnnotations: auditAnnotations.map(({ valueExpression }) =>
      compile(valueExpression, { variables: full(), result: mustBe(STRING, NULL) }),
    ),
  };
}
