import { bindingCauses } from '../../admission/binding-causes.ts';
import {
  ADMISSION_GROUP,
  fillInMatchResources,
  type ParamRef,
  type PolicyBinding,
} from '../../admission/policy-objects.ts';
import { ageColumn, column, nameColumn, type Shown } from '../columns.ts';
import { defineKind } from '../define-kind.ts';

export const validatingAdmissionPolicyBindings = defineKind({
  group: ADMISSION_GROUP,
  resource: 'validatingadmissionpolicybindings',
  columns: [
    nameColumn,
    column('PolicyName', 'The policy.', ({ spec }: Shown<PolicyBinding>) => spec?.policyName ?? ''),
    column('ParamRef', 'Its parameters.', ({ spec }: Shown<PolicyBinding>) => paramsText(spec?.paramRef)),
    ageColumn,
  ],
  strategy: {
    unconditionalUpdate: false,
    tracksGeneration: true,
    validateCreate: (object) => bindingCauses(object as PolicyBinding),
    validateUpdate: (object) => bindingCauses(object as PolicyBinding),
  },
  fillIn: (object) => fillInMatchResources((object as PolicyBinding).spec.matchResources),
});

function paramsText(ref: ParamRef | undefined): string {
  if (ref?.name) return `${ref.namespace || '*'}/${ref.name}`;
  return ref?.selector ? selectorText(ref.selector) : '<unset>';
}

/** As Go prints the struct. */
function selectorText({ matchLabels = {}, matchExpressions = [] }: NonNullable<ParamRef['selector']>): string {
  const labels = Object.keys(matchLabels)
    .sort()
    .map((key) => `${key}: ${matchLabels[key]},`);
  const expressions = matchExpressions.map(
    ({ key, operator, values = [] }) =>
      `LabelSelectorRequirement{Key:${key},Operator:${operator},Values:[${values.join(' ')}],},`,
  );
  return `&LabelSelector{MatchLabels:map[string]string{${labels.join('')}},MatchExpressions:[]LabelSelectorRequirement{${expressions.join('')}},}`;
}
