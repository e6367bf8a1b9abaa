import { labelValueProblems, qualifiedNameProblems } from '@klutch/cel';
import { forbidden, invalid, required } from '../schema/fields/field-error.ts';
import { child, index } from '../schema/fields/field-path.ts';
import type { FieldCause } from '../status/status-error.ts';
import type { LabelRequirement, LabelSelector } from './rbac-objects.ts';

/** What is wrong with a selector. */
export function selectorCauses(
  { matchLabels = {}, matchExpressions = [] }: LabelSelector,
  field: string,
): FieldCause[] {
  const labels = child(field, 'matchLabels');
  return [
    ...Object.entries(matchLabels).flatMap(([key, value]) => [
      ...qualifiedNameProblems(key).map((problem) => invalid(labels, key, problem)),
      ...labelValueProblems(value).map((problem) => invalid(labels, value, problem)),
    ]),
    ...matchExpressions.flatMap((requirement, position) =>
      requirementCauses(requirement, index(child(field, 'matchExpressions'), position)),
    ),
  ];
}

/** @param isOperatorOpen whether operators of a future version pass */
export function requirementCauses(requirement: LabelRequirement, field: string, isOperatorOpen = false): FieldCause[] {
  const { key, values = [] } = requirement;
  return [
    ...operatorCauses(requirement, field, isOperatorOpen),
    ...qualifiedNameProblems(key).map((problem) => invalid(child(field, 'key'), key, problem)),
    ...values.flatMap((value, position) =>
      labelValueProblems(value).map((problem) => invalid(index(child(field, 'values'), position), value, problem)),
    ),
  ];
}

/** Whether operator and number of values go together; the same for labels and fields. */
export function operatorCauses(
  { operator, values = [] }: LabelRequirement,
  field: string,
  isOperatorOpen: boolean,
): FieldCause[] {
  if (operator === 'In' || operator === 'NotIn') {
    if (values.length > 0) return [];
    return [required(child(field, 'values'), "must be specified when `operator` is 'In' or 'NotIn'")];
  }
  if (operator === 'Exists' || operator === 'DoesNotExist') {
    if (values.length === 0) return [];
    return [forbidden(child(field, 'values'), "may not be specified when `operator` is 'Exists' or 'DoesNotExist'")];
  }
  return isOperatorOpen ? [] : [invalid(child(field, 'operator'), operator, 'not a valid selector operator')];
}
