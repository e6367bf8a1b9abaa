import { defineKind } from '../define-kind.ts';
import { bool, dict, list, must, struct, text, value } from '../types/fields.ts';

const userInfo = struct('UserInfo', 'A user.', {
  username: text('Name.'),
  uid: text('Identity.'),
  groups: list(text(), 'Groups.'),
  extra: dict(list(text()), 'What else is known.'),
});

const tokenReviewSpec = struct('TokenReviewSpec', 'A token.', {
  token: text('The token.'),
  audiences: list(text(), 'Whom it must be meant for.'),
});

const tokenReviewStatus = struct('TokenReviewStatus', 'Whose token it is.', {
  authenticated: bool('Whether it is valid.'),
  user: value(userInfo, 'Whose it is.'),
  audiences: list(text(), 'Whom it is meant for, of those asked for.'),
  error: text('Why it could not be checked.'),
});

const selfSubjectReviewStatus = struct('SelfSubjectReviewStatus', 'Who the client is.', {
  userInfo: value(userInfo, 'The user.'),
});

const group = 'authentication.k8s.io';

/** Questions are answered and forgotten. */
export const tokenReviews = defineKind({
  group,
  type: struct('TokenReview', 'Asks whose token it is.', {
    spec: must(value(tokenReviewSpec, 'The question.')),
    status: value(tokenReviewStatus, 'The answer.'),
  }),
  resource: 'tokenreviews',
  namespaced: false,
  verbs: ['create'],
});

export const selfSubjectReviews = defineKind({
  group,
  type: struct('SelfSubjectReview', 'Asks who I am.', { status: value(selfSubjectReviewStatus, 'The answer.') }),
  resource: 'selfsubjectreviews',
  namespaced: false,
  verbs: ['create'],
});
