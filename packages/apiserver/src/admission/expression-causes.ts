import type { Expression, Rejected } from '@klutch/cel';
import { internalError, invalid } from '../schema/fields/field-error.ts';
import type { FieldCause } from '../status/status-error.ts';

/** What is wrong with an expression, as a problem of the field it stands in. */
export function expressionCauses(compiled: Expression | Rejected, field: string): readonly FieldCause[] {
  if (!('problem' in compiled)) return [];
  const { source, problem, isInternal } = compiled;
  return [isInternal ? internalError(field, problem) : invalid(field, source, problem)];
}
