import { pathSegmentProblems } from '../authz/index.ts';
import { selectorCauses } from '../authz/label-selector-causes.ts';
import { dnsSubdomainProblems } from '../metadata/name-rules.ts';
import { duplicate, forbidden, invalid, required } from '../schema/fields/field-error.ts';
import { index } from '../schema/fields/field-path.ts';
import type { FieldCause } from '../status/status-error.ts';
import { matchCauses, supportedCauses } from './match-causes.ts';
import type { ParamRef, PolicyBinding } from './policy-objects.ts';

/** What is wrong with a binding. */
export function bindingCauses({ spec }: PolicyBinding): readonly FieldCause[] {
  const { policyName = '', paramRef, matchResources, validationActions = [] } = spec;
  return [
    ...(policyName === ''
      ? [required('spec.policyName')]
      : dnsSubdomainProblems(policyName).map((problem) => invalid('spec.policyName', policyName, problem))),
    ...paramRefCauses(paramRef),
    ...matchCauses(matchResources, 'spec.matchResources'),
    ...actionCauses(validationActions),
  ];
}

function paramRefCauses(ref: ParamRef | undefined): readonly FieldCause[] {
  if (!ref) return [];
  const { name = '', selector, parameterNotFoundAction: action = '' } = ref;
  const exclusive = 'name and selector are mutually exclusive';
  const isBoth = name !== '' && selector !== undefined;
  return [
    ...pathSegmentProblems(name).map((problem) => invalid('spec.paramRef.name', name, problem)),
    ...(isBoth ? [forbidden('spec.paramRef.name', exclusive)] : []),
    ...(selector ? selectorCauses(selector, 'spec.paramRef.selector') : []),
    ...(isBoth ? [forbidden('spec.paramRef.selector', exclusive)] : []),
    ...(name === '' && !selector ? [required('spec.paramRef', 'one of name or selector must be specified')] : []),
    ...(action === ''
      ? [required('spec.paramRef.parameterNotFoundAction')]
      : supportedCauses('spec.paramRef.parameterNotFoundAction', action, ['Deny', 'Allow'])),
  ];
}

function actionCauses(actions: readonly string[]): readonly FieldCause[] {
  const field = 'spec.validationActions';
  if (actions.length === 0) return [required(field, 'at least one validation action is required')];
  const both =
    'must not contain both Deny and Warn (repeating the same validation failure information in the API response and headers serves no purpose)';
  return [
    ...actions.flatMap((action, at) => [
      ...supportedCauses(index(field, at), action, ['Audit', 'Deny', 'Warn']),
      ...(actions.indexOf(action) < at ? [duplicate(index(field, at), action)] : []),
    ]),
    ...(actions.includes('Deny') && actions.includes('Warn') ? [invalid(field, actions, both)] : []),
  ];
}
