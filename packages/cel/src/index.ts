export { type Frame, TooManySteps } from './eval/frame.ts';
export { plan, PlanError, type Program } from './eval/plan.ts';
export { DEFAULT_FORMATS, type Formats, OBJECT_FORMATS } from './formats/formats.ts';
export * from './formats/kubernetes-names.ts';
export {
  type AskAccess,
  AUTHORIZER_TYPE,
  AuthorizerValue,
  RESOURCE_CHECK_TYPE,
  ResourceCheck,
} from './library/authorizer.ts';
export { compilePattern, patternProblem } from './patterns/pattern.ts';
export { checkSource } from './rules/check-source.ts';
export { type CompiledRule, compileRules } from './rules/compile-rules.ts';
export { evaluateRules, NO_HISTORY, type RuleFailure } from './rules/evaluate-rules.ts';
export { buildPartialTree, buildRuleTree, type RuleTree } from './rules/rule-tree.ts';
export { Correlation } from './schema/correlation.ts';
export { deepEqual } from './schema/deep-equal.ts';
export { childPath, indexPath, keyPath } from './schema/field-path.ts';
export { FieldPathError, findField, isFieldPath } from './schema/find-field.ts';
export type { JsonSchema, ValidationRule } from './schema/json-schema.ts';
export { buildNode, hasDefault, isObject, isSchema, type Node } from './schema/node.ts';
export { codePoints } from './text/code-points.ts';
export { compareBytes, goJson } from './text/go-json.ts';
export { goFloat, goInt, goNumber } from './text/go-number.ts';
export { goQuote } from './text/go-quote.ts';
export { BOOL, type CelType, DYN, INT, listOf, mapOf, showType, STRING, TIMESTAMP } from './types/cel-type.ts';
export { isReserved, unescapeField } from './types/escape.ts';
export { schemaType, type SchemaType } from './types/schema-type.ts';
export { EvalError, noSuchOverload } from './values/eval-error.ts';
export { isInt64 } from './values/int64.ts';
export { jsonValue } from './values/json.ts';
export { MapValue } from './values/map.ts';
export type { CelValue } from './values/value.ts';
