import { defineKind } from '../define-kind.ts';
import { labelSelectorRequirement } from '../meta/label-selector.ts';
import type { Struct } from '../types/go-type.ts';
import { bool, dict, list, must, named, ptr, struct, text, value } from '../types/fields.ts';

const fieldSelectorRequirement = struct('FieldSelectorRequirement', 'A demand on one field.', {
  key: must(text('The field.')),
  operator: must(named('FieldSelectorOperator', 'In, NotIn, Exists or DoesNotExist.')),
  values: list(text(), 'What it is compared with.'),
});

const selectorAttributes = (name: string, description: string, requirement: Struct) =>
  struct(name, description, {
    rawSelector: text('As it is in a query.'),
    requirements: list(requirement, 'In parts.'),
  });

const fieldSelector = selectorAttributes('FieldSelectorAttributes', 'A field selector.', fieldSelectorRequirement);
const labelSelector = selectorAttributes('LabelSelectorAttributes', 'A label selector.', labelSelectorRequirement);

const resourceAttributes = struct('ResourceAttributes', 'Something with a resource.', {
  namespace: text('Namespace; empty for all or none.'),
  verb: text('For example get.'),
  group: text('API group.'),
  version: text('Version.'),
  resource: text('Resource.'),
  subresource: text('Part of it.'),
  name: text('Name of the object; empty for all.'),
  fieldSelector: ptr(fieldSelector, 'Only objects with such fields.'),
  labelSelector: ptr(labelSelector, 'Only objects with such labels.'),
});

const nonResourceAttributes = struct('NonResourceAttributes', 'Something with a path.', {
  path: text('The path.'),
  verb: text('The HTTP verb.'),
});

const attributes = {
  resourceAttributes: ptr(resourceAttributes, 'Something with a resource.'),
  nonResourceAttributes: ptr(nonResourceAttributes, 'Something with a path.'),
};

const subjectAccessReviewSpec = struct('SubjectAccessReviewSpec', 'Who wants to do what.', {
  ...attributes,
  user: text('The user.'),
  groups: list(text(), 'Groups of the user.'),
  extra: dict(list(text()), 'What else is known of the user.'),
  uid: text('Identity of the user.'),
});

const selfSubjectAccessReviewSpec = struct('SelfSubjectAccessReviewSpec', 'What is wanted.', attributes);

const selfSubjectRulesReviewSpec = struct('SelfSubjectRulesReviewSpec', 'Where.', {
  namespace: text('The namespace.'),
});

const subjectAccessReviewStatus = struct('SubjectAccessReviewStatus', 'Whether it is allowed.', {
  allowed: must(bool('Whether it is.')),
  denied: bool('Whether it is forbidden for good.'),
  reason: text('Why.'),
  evaluationError: text('What went wrong on the way.'),
});

const resourceRule = struct('ResourceRule', 'What is allowed with resources.', {
  verbs: must(list(text(), 'Verbs.')),
  apiGroups: list(text(), 'API groups.'),
  resources: list(text(), 'Resources.'),
  resourceNames: list(text(), 'Names of objects; all if absent.'),
});

const nonResourceRule = struct('NonResourceRule', 'What is allowed with paths.', {
  verbs: must(list(text(), 'HTTP verbs.')),
  nonResourceURLs: list(text(), 'Paths.'),
});

const subjectRulesReviewStatus = struct('SubjectRulesReviewStatus', 'What is allowed.', {
  resourceRules: must(list(resourceRule, 'With resources.')),
  nonResourceRules: must(list(nonResourceRule, 'With paths.')),
  incomplete: must(bool('Whether there may be more.')),
  evaluationError: text('What went wrong on the way.'),
});

/** Questions are answered and forgotten. */
function review(name: string, description: string, spec: Struct, status: Struct, namespaced = false) {
  return defineKind({
    group: 'authorization.k8s.io',
    type: struct(name, description, { spec: must(value(spec, 'The question.')), status: value(status, 'The answer.') }),
    resource: `${name.toLowerCase()}s`,
    namespaced,
    verbs: ['create'],
  });
}

export const subjectAccessReviews = review(
  'SubjectAccessReview',
  'Asks whether a user may do something.',
  subjectAccessReviewSpec,
  subjectAccessReviewStatus,
);

export const localSubjectAccessReviews = review(
  'LocalSubjectAccessReview',
  'Asks whether a user may do something in a namespace.',
  subjectAccessReviewSpec,
  subjectAccessReviewStatus,
  true,
);

export const selfSubjectAccessReviews = review(
  'SelfSubjectAccessReview',
  'Asks whether I may do something.',
  selfSubjectAccessReviewSpec,
  subjectAccessReviewStatus,
);

export const selfSubjectRulesReviews = review(
  'SelfSubjectRulesReview',
  'Asks what I may do in a namespace.',
  selfSubjectRulesReviewSpec,
  subjectRulesReviewStatus,
);
