import type { User } from '../authn/user.ts';
import type { Authorizer } from '../authz/rbac-authorizer.ts';
import type { ApiObject } from '../objects/api-object.ts';
import { badRequest, type FieldCause, invalid, StatusError } from '../status/status-error.ts';
import { localCauses, metadataCauses, questionCauses, selectorCauses, subjectCauses } from './access-review-causes.ts';
import { type AccessReviewSpec, questionOf, specOf, subjectOf } from './access-review-spec.ts';
import { selectorProblems } from './selector-problems.ts';

/**
 * Answers to access reviews: the review with its `status`. Each throws what kube-apiserver answers to a review that makes
 * no sense. Metadata is expected as the request handler leaves it, with managed fields if it tracks them.
 */

/** May somebody do something? */
export function answerSubjectAccessReview(review: ApiObject, authorizer: Authorizer): ApiObject {
  const spec = specOf(review);
  check([
    ...questionCauses(spec),
    ...subjectCauses(spec),
    ...selectorCauses(spec.resourceAttributes),
    ...metadataCauses(review.metadata, false),
  ]);
  return answer(review, spec, subjectOf(spec), authorizer);
}

/** May I do something? */
export function answerSelfSubjectAccessReview(review: ApiObject, user: User, authorizer: Authorizer): ApiObject {
  const spec = specOf(review);
  check([
    ...questionCauses(spec),
    ...selectorCauses(spec.resourceAttributes),
    ...metadataCauses(review.metadata, false),
  ]);
  return answer(review, spec, user, authorizer);
}

/** May somebody do something in this namespace? @param namespace of the request */
export function answerLocalSubjectAccessReview(
  review: ApiObject,
  namespace: string,
  authorizer: Authorizer,
): ApiObject {
  const { namespace: home = namespace } = review.metadata;
  if (home !== namespace)
    throw badRequest('the namespace of the provided object does not match the namespace sent on the request');
  const spec = specOf(review);
  const metadata = { ...review.metadata, namespace };
  check([
    ...questionCauses(spec),
    ...subjectCauses(spec),
    ...selectorCauses(spec.resourceAttributes),
    ...metadataCauses(metadata, true),
    ...localCauses(spec, namespace),
  ]);
  return answer({ ...review, metadata }, spec, subjectOf(spec), authorizer);
}

function answer(review: ApiObject, spec: AccessReviewSpec, user: User, authorizer: Authorizer): ApiObject {
  const { allowed, reason } = authorizer.authorize(questionOf(spec, user));
  const evaluationError = selectorProblems(spec.resourceAttributes);
  const { apiVersion, kind, metadata } = review;
  return {
    apiVersion,
    kind,
    metadata,
    spec,
    status: { allowed, ...(reason === '' ? {} : { reason }), ...(evaluationError === '' ? {} : { evaluationError }) },
  };
}

/** Kubernetes forgets the kind in this message. */
function check(causes: readonly FieldCause[]): void {
  if (causes.length === 0) return;
  const group = 'authorization.k8s.io';
  throw new StatusError(422, 'Invalid', invalid(group, '', '', causes).message, { group, causes });
}
