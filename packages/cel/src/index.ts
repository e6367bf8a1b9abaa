// Expressions.
export type { Budget } from './eval/frame.ts';
export {
  compile,
  type Environment,
  type Expression,
  type Rejected,
  type Values,
} from './expressions/compile.ts';
export { mustBe } from './expressions/must-be.ts';
export { type SchemaVariable, schemaVariable } from './expressions/schema-variable.ts';
export { BOOL, type CelType, DYN, INT, listOf, mapOf, STRING, TIMESTAMP } from './types/cel-type.ts';
export { EvalError } from './values/eval-error.ts';
export { jsonValue } from './values/json.ts';
export type { CelValue } from './values/value.ts';

// Rules of schemas.
export { checkSchemaRules } from './rules/check-schema-rules.ts';
export { CostLedger } from './rules/cost-ledger.ts';
export type { RuleFailure } from './rules/evaluate-rules.ts';
export { RulePlace } from './rules/rule-place.ts';
export type { RuleProblem } from './rules/rule-problem.ts';
export { ruleProblems } from './rules/rule-problems.ts';
export { compileSchemaRules, type SchemaRules } from './rules/schema-rules.ts';

// Policies.
export {
  type AskAccess,
  AuthorizerValue,
  ResourceCheck,
} from './library/authorizer.ts';
export { type CompiledPolicy, compilePolicy } from './policies/compile-policy.ts';
export { evaluatePolicy, type Objection, type PolicyInput } from './policies/evaluate-policy.ts';
export type { PolicyExpressions, Validation } from './policies/policy.ts';
export { escapeField, isReserved } from './types/escape.ts';

// Schemas, formats and texts as Kubernetes has them, of which the API server and CEL must think the same.
export { DEFAULT_FORMATS, type Formats, OBJECT_FORMATS } from './formats/formats.ts';
export * from './formats/kubernetes-names.ts';
export { compilePattern, patternProblem } from './patterns/pattern.ts';
export { Correlation } from './schema/correlation.ts';
export { deepEqual } from './schema/deep-equal.ts';
export { childPath, indexPath, keyPath } from './schema/field-path.ts';
export { FieldPathError, findField, isFieldPath } from './schema/find-field.ts';
export type { JsonSchema, ValidationRule } from './schema/json-schema.ts';
export { buildNode, hasDefault, isObject, isSchema, type Node } from './schema/node.ts';
export { aggregateText } from './text/aggregate-text.ts';
export { codePoints } from './text/code-points.ts';
export { compareBytes, goJson } from './text/go-json.ts';
export { goFloat, goInt, goNumber } from './text/go-number.ts';
export { goQuote } from './text/go-quote.ts';
export { isInt64 } from './values/int64.ts';

// Validation of objects against structural schemas, in the words of kube-apiserver.
export { compileValidation, type ObjectValidation } from './validation/compile-validation.ts';
export { applyDefaults } from './validation/defaults.ts';
export {
  duplicate,
  errorText,
  type FieldCause,
  forbidden,
  internalError,
  invalid,
  notSupported,
  required,
  ShownAs,
  tooLong,
  tooMany,
} from './validation/field-error.ts';
export { prune } from './validation/prune.ts';
export { ruleCause } from './validation/rule-cause.ts';
export { valueCheck } from './validation/value-check.ts';
export { Walk } from './validation/walk.ts';
