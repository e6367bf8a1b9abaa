import { bindingCauses } from '../../admission/binding-causes.ts';
import {
  ADMISSION_GROUP,
  fillInMatchResources,
  type ParamRef,
  type PolicyBinding,
} from '../../admission/policy-objects.ts';
import { ageColumn, column, nameColumn, type Shown } from '../columns.ts';
import { defineKind } from '../define-kind.ts';
import { labelSelector } from '../meta/label-selector.ts';
import { atomicStruct, named, ptr, set, struct, text, value } from '../types/fields.ts';
import { matchResources } from './match-resources.ts';

const paramRef = atomicStruct('ParamRef', 'Parameters of a policy, by name or by labels.', {
  name: text('Name of the object.'),
  namespace: text('Its namespace; that of the request if absent.'),
  selector: ptr(labelSelector, 'Labels of the objects.'),
  parameterNotFoundAction: ptr(named('ParameterNotFoundActionType', 'Allow or Deny requests when there are none.')),
});

const bindingSpec = struct('ValidatingAdmissionPolicyBindingSpec', 'Where a policy is in force.', {
  policyName: text('The policy.'),
  paramRef: ptr(paramRef, 'Its parameters.'),
  matchResources: ptr(matchResources, 'Requests that are meant, of those that the policy is about.'),
  validationActions: set(named('ValidationAction'), 'What becomes of requests that break it: Deny, Warn, Audit.'),
});

export const validatingAdmissionPolicyBindings = defineKind({
  group: ADMISSION_GROUP,
  type: struct('ValidatingAdmissionPolicyBinding', 'Puts a policy in force.', {
    spec: value(bindingSpec, 'The binding.'),
  }),
  resource: 'validatingadmissionpolicybindings',
  namespaced: false,
  categories: ['api-extensions'],
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
