import {
  buildNode,
  type CompiledRule,
  compileRules,
  isFieldPath,
  type JsonSchema,
  type ValidationRule,
} from '@klutch/cel';
import type { FieldCause } from '../../status/status-error.ts';
import { internalError, invalid, notSupported, required } from '../fields/field-error.ts';
import { child, index } from '../fields/field-path.ts';
import type { CostLedger, Occurrence } from './costs.ts';
import { internalRule } from './internal-form.ts';
import { unreadable } from './raw-schema.ts';

const RULES = 'x-kubernetes-validations';
const REASONS = ['FieldValueDuplicate', 'FieldValueForbidden', 'FieldValueInvalid', 'FieldValueRequired'];
const LINE_BREAK = /[\n\r]/;

/** Checks the texts of rules: what can be said without compiling them. */
export function ruleTextProblems(schema: JsonSchema, path: string): FieldCause[] {
  const rules = schema[RULES] ?? [];
  return rules.flatMap((rule, at) => {
    const here = index(child(path, RULES), at);
    return [...messageProblems(rule, here), ...reasonProblems(rule, here), ...fieldPathProblems(rule, schema, here)];
  });
}

function messageProblems({ rule, message = '', messageExpression = '' }: ValidationRule, path: string): FieldCause[] {
  const messagePath = child(path, 'message');
  const problems: FieldCause[] = [];
  if (rule.trim() === '') problems.push(required(child(path, 'rule'), 'rule is not specified'));
  else if (message !== '' && message.trim() === '')
    problems.push(invalid(messagePath, message, 'must be non-empty if specified'));
  else if (LINE_BREAK.test(message.trim()))
    problems.push(invalid(messagePath, message, 'must not contain line breaks'));
  else if (LINE_BREAK.test(rule.trim()) && message === '') {
    problems.push(required(messagePath, 'message must be specified if rule contains line breaks'));
  }
  if (messageExpression !== '' && messageExpression.trim() === '') {
    problems.push(required(child(path, 'messageExpression'), 'messageExpression must be non-empty if specified'));
  }
  return problems;
}

function reasonProblems({ reason }: ValidationRule, path: string): FieldCause[] {
  return reason === undefined || REASONS.includes(reason) ? [] : [notSupported(child(path, 'reason'), reason, REASONS)];
}

function fieldPathProblems({ fieldPath = '' }: ValidationRule, schema: JsonSchema, path: string): FieldCause[] {
  if (fieldPath === '') return [];
  const at = child(path, 'fieldPath');
  const isPath = unreadable(schema) !== undefined || isFieldPath(fieldPath, buildNode(schema));
  return [
    ...(fieldPath.trim() === '' ? [invalid(at, fieldPath, 'must be non-empty if specified')] : []),
    ...(LINE_BREAK.test(fieldPath) ? [invalid(at, fieldPath, 'must not contain line breaks')] : []),
    ...(isPath ? [] : [invalid(at, fieldPath, 'must be a valid path')]),
  ];
}

/** Said of rules about values whose type cannot be told. */
const NO_TYPE = {
  unknown:
    'internal error: failed to construct type information for x-kubernetes-validations rules: unable to convert structural schema to CEL declarations',
  hidden: 'failed to convert to declType for CEL validation rules',
} as const;

/** Compiles the rules at one place and says what is wrong with them, their cost included. */
export function ruleProblems(
  schema: JsonSchema,
  { path, uncorrelated }: { readonly path: string; readonly uncorrelated: string | undefined },
  occurrence: Occurrence,
  ledger: CostLedger,
): FieldCause[] {
  const self = occurrence.typing;
  if (!self) return [];
  if (typeof self === 'string') return [internalError(child(path, RULES), NO_TYPE[self])];
  return compileRules(buildNode(schema), self).flatMap((compiled, at) => {
    const here = index(child(path, RULES), at);
    return [
      ...expressionProblems(compiled, here, occurrence, ledger),
      ...messageExpressionProblems(compiled, here, ledger),
      ...oldSelfProblems(compiled, here, uncorrelated),
    ];
  });
}

function expressionProblems(
  { source, rule, maxOccurrences }: CompiledRule,
  path: string,
  occurrence: Occurrence,
  ledger: CostLedger,
): FieldCause[] {
  if (!rule) return [];
  const at = child(path, 'rule');
  if ('problem' in rule) return [invalid(at, internalRule(source), rule.problem)];
  return ledger.note(at, occurrence.total(rule.maxCost, maxOccurrences), 'estimated rule cost');
}

function messageExpressionProblems({ source, message }: CompiledRule, path: string, ledger: CostLedger): FieldCause[] {
  if (!message) return [];
  const at = child(path, 'messageExpression');
  if ('problem' in message) return [invalid(at, internalRule(source), message.problem)];
  return ledger.note(at, message.maxCost, 'estimated messageExpression cost');
}

function oldSelfProblems({ source, rule }: CompiledRule, path: string, uncorrelated: string | undefined): FieldCause[] {
  const usesOldSelf = rule !== undefined && !('problem' in rule) && rule.uses.has('oldSelf');
  if (usesOldSelf && uncorrelated !== undefined) {
    const detail = `oldSelf cannot be used on the uncorrelatable portion of the schema within ${uncorrelated}`;
    return [invalid(child(path, 'rule'), source.rule, detail)];
  }
  if (usesOldSelf || source.optionalOldSelf === undefined) return [];
  return [
    invalid(child(path, 'optionalOldSelf'), source.optionalOldSelf, 'may not be set if oldSelf is not used in rule'),
  ];
}
