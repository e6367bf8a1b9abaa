import type { ValidationRule } from '../schema/json-schema.ts';

/** What is wrong with a rule. */
export interface RuleProblem {
  /** Where in the definition the problem is, as field errors write it. */
  readonly path: string;
  /** Rules that cost too much are forbidden; values that have no type are an internal error. */
  readonly reason: 'FieldValueInvalid' | 'FieldValueForbidden' | 'InternalError';
  /** What is invalid: the rule, or one of its fields. */
  readonly value?: ValidationRule | string | boolean;
  readonly message: string;
}
