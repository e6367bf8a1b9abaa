import type { Expression, Values } from '../expressions/compile.ts';
import { usableMessage } from '../expressions/usable-message.ts';
import { aggregateText } from '../text/aggregate-text.ts';
import { EvalError } from '../values/eval-error.ts';
import type { CelValue } from '../values/value.ts';
import type { Compiled, CompiledPolicy, CompiledValidation } from './compile-policy.ts';
import { LazyVariables } from './lazy-variables.ts';

/** What the expressions of a policy see of a request. */
export interface PolicyInput {
  readonly object: CelValue;
  readonly oldObject: CelValue;
  readonly namespaceObject: CelValue;
  readonly request: CelValue;
  /** The request as match conditions see it: by its own resource, even if the policy names an equivalent one. */
  readonly unmatchedRequest: CelValue;
  readonly params: CelValue;
  /** The values of `authorizer` and `authorizer.requestResource`; undefined where nobody can be asked. */
  readonly authorizer: readonly [CelValue, CelValue] | undefined;
}

/** Why a policy refuses a request. */
export interface Objection {
  readonly message: string;
  /** Undefined when an expression failed: that is told under the usual reason. */
  readonly reason?: string;
  /** Whether the actions of the binding decide what becomes of it; otherwise the request is refused. */
  readonly isSubjectToActions: boolean;
}

/** What one evaluation may cost. */
const MAX_COST = 1_000_000;

/** What a policy has against a request, given one set of parameters. */
export function evaluatePolicy(
  policy: CompiledPolicy,
  input: PolicyInput,
  isFailureIgnored: boolean,
): readonly Objection[] {
  const onFailure = (message: string, isSubjectToActions = true): readonly Objection[] =>
    isFailureIgnored ? [] : [{ message, isSubjectToActions }];
  const conditions = matchConditions(policy, input);
  if (conditions === false) return [];
  if (conditions !== true) return onFailure(conditions.problem);

  const values = valuesOf(policy, input);
  // Messages are not meant to tell people what others may do.
  const messageValues = valuesOf(policy, { ...input, authorizer: undefined });
  const objections = policy.validations.flatMap((validation) => {
    const verdict = run(validation.expression, values);
    if (verdict instanceof EvalError) return onFailure(verdict.message);
    if (verdict === true) return [];
    const { reason = 'Invalid' } = validation.source;
    return [{ message: messageOf(validation, messageValues), reason, isSubjectToActions: true }];
  });
  // Nobody sees the annotations, but one that cannot be computed refuses the request.
  const failures = policy.auditAnnotations.flatMap((annotation) => {
    const value = run(annotation, values);
    return value instanceof EvalError ? onFailure(value.message, false) : [];
  });
  return [...objections, ...failures];
}

/** Whether all conditions hold. A condition that cannot be computed matters only when none is false. */
function matchConditions(policy: CompiledPolicy, input: PolicyInput): boolean | { readonly problem: string } {
  if (policy.matchConditions.length === 0) return true;
  const seen = { ...input, request: input.unmatchedRequest, namespaceObject: null };
  const values = valuesOf(policy, seen);
  const verdicts = policy.matchConditions.map((condition) => run(condition, values));
  if (verdicts.includes(false)) return false;
  const problems = verdicts.filter((verdict) => verdict instanceof EvalError).map(({ message }) => message);
  return problems.length === 0 ? true : { problem: aggregateText(problems) };
}

function valuesOf({ variables }: CompiledPolicy, input: PolicyInput): Values {
  const { object, oldObject, namespaceObject, request, params, authorizer = [] } = input;
  const values: Values = {
    object,
    oldObject,
    namespaceObject,
    request,
    params,
    variables: new LazyVariables(variables, (expression) => runWithin(expression, values)),
    authorizer: authorizer[0],
    'authorizer.requestResource': authorizer[1],
  };
  return values;
}

const runWithin = (expression: Expression, values: Values) => expression.run(values, { left: MAX_COST });

function run(expression: Compiled, values: Values): CelValue | EvalError {
  if ('problem' in expression) return new EvalError(`compilation error: ${expression.problem}`);
  const value = runWithin(expression, values);
  if (!(value instanceof EvalError)) return value;
  return new EvalError(`expression '${expression.source}' resulted in error: ${value.message}`);
}

/** The computed message if it is usable, else the fixed one, else the expression. */
function messageOf({ source, message }: CompiledValidation, values: Values): string {
  const computed = message && usableMessage(run(message, values));
  return computed ?? (source.message?.trim() || `failed expression: ${source.expression.trim()}`);
}
