import { type CelValue, EvalError, type Frame } from '@klutch/cel';
import { aggregateText } from '../authz/aggregate-text.ts';
import { evaluate } from './compile-expression.ts';
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
  readonly authorizer: readonly [CelValue, CelValue];
}

/** Why a policy refuses a request. */
export interface Objection {
  readonly message: string;
  /** Undefined when an expression failed: that is told under the usual reason. */
  readonly reason?: string;
  /** Whether the actions of the binding decide what becomes of it; otherwise the request is refused. */
  readonly isSubjectToActions: boolean;
}

const MAX_MESSAGE_BYTES = 5 * 1024;

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

  const frame = frameOf(policy, input, input.authorizer);
  // Messages are not meant to tell people what others may do.
  const messageFrame = frameOf(policy, input, []);
  const objections = policy.validations.flatMap((validation) => {
    const verdict = run(validation.expression, frame);
    if (verdict instanceof EvalError) return onFailure(verdict.message);
    if (verdict === true) return [];
    const { reason = 'Invalid' } = validation.source;
    return [{ message: messageOf(validation, messageFrame), reason, isSubjectToActions: true }];
  });
  // Nobody sees the annotations, but one that cannot be computed refuses the request.
  const failures = policy.auditAnnotations.flatMap((annotation) => {
    const value = run(annotation, frame);
    return value instanceof EvalError ? onFailure(value.message, false) : [];
  });
  return [...objections, ...failures];
}

/** Whether all conditions hold. A condition that cannot be computed matters only when none is false. */
function matchConditions(policy: CompiledPolicy, input: PolicyInput): boolean | { readonly problem: string } {
  if (policy.matchConditions.length === 0) return true;
  const seen = { ...input, request: input.unmatchedRequest, namespaceObject: null };
  const frame = frameOf(policy, seen, input.authorizer);
  const verdicts = policy.matchConditions.map((condition) => run(condition, frame));
  if (verdicts.includes(false)) return false;
  const problems = verdicts.filter((verdict) => verdict instanceof EvalError).map(({ message }) => message);
  return problems.length === 0 ? true : { problem: aggregateText(problems) };
}

function frameOf(
  { variables }: CompiledPolicy,
  { object, oldObject, namespaceObject, request, params }: PolicyInput,
  authorizer: readonly CelValue[],
): Frame {
  const frame: Frame = [object, oldObject, namespaceObject, request, undefined, params, ...authorizer];
  frame[4] = new LazyVariables(variables, () => frame);
  return frame;
}

function run(expression: Compiled, frame: Frame): CelValue | EvalError {
  if ('problem' in expression) return new EvalError(`compilation error: ${expression.problem}`);
  const value = evaluate(expression, frame);
  if (!(value instanceof EvalError)) return value;
  return new EvalError(`expression '${expression.source}' resulted in error: ${value.message}`);
}

/** The computed message if it is usable, else the fixed one, else the expression. */
function messageOf({ source, message }: CompiledValidation, frame: Frame): string {
  const computed = message && run(message, frame);
  const text = typeof computed === 'string' ? computed.trim() : '';
  if (text !== '' && Buffer.byteLength(text) <= MAX_MESSAGE_BYTES && !text.includes('\n')) return text;
  return source.message?.trim() || `failed expression: ${source.expression.trim()}`;
}
