import type { RuleFailure } from '../rules/evaluate-rules.ts';
import type { FieldCause } from './field-error.ts';
import { duplicate, forbidden, invalid, OMITTED, required } from './field-error.ts';

/** What a rule has to say, as a field error. */
export function ruleCause({ path, reason, value = OMITTED, message }: RuleFailure): FieldCause {
  switch (reason) {
    case 'FieldValueForbidden':
      return forbidden(path, message);
    case 'FieldValueRequired':
      return required(path, message);
    case 'FieldValueDuplicate':
      return duplicate(path, value);
    default:
      return invalid(path, value, message);
  }
}
