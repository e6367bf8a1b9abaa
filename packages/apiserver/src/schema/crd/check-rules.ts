import { buildNode, isFieldPath, type JsonSchema, type RuleProblem, type ValidationRule } from '@klutch/cel';
import type { FieldCause } from '../../status/status-error.ts';
import { forbidden, internalError, invalid, notSupported, required } from '../fields/field-error.ts';
import { child, index } from '../fields/field-path.ts';
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

/** What is wrong with a rule, as a field error. */
export function ruleProblemCause({ path, reason, value, message }: RuleProblem): FieldCause {
  switch (reason) {
    case 'FieldValueForbidden':
      return forbidden(path, message);
    case 'InternalError':
      return internalError(path, message);
    default:
      return invalid(path, typeof value === 'object' ? internalRule(value) : value, message);
  }
}
