import { aggregateText } from '@klutch/cel';
import type { User } from '../authn/user.ts';
import { type Authorizer, missingRoleText } from '../authz/rbac-authorizer.ts';
import type { PolicyRule } from '../authz/rbac-objects.ts';
import type { ApiObject } from '../objects/api-object.ts';
import { badRequest } from '../status/status-error.ts';

/** What may I do in a namespace? The answer to a SelfSubjectRulesReview; it does not repeat the question. */
export function answerSelfSubjectRulesReview(review: ApiObject, user: User, authorizer: Authorizer): ApiObject {
  const { namespace } = (review.spec ?? {}) as { namespace?: string };
  if (!namespace) throw badRequest('no namespace on request');
  const { rules, missing } = authorizer.rulesFor(user, namespace);
  const problems = missing.map(missingRoleText);
  return {
    apiVersion: review.apiVersion,
    kind: review.kind,
    metadata: {},
    spec: {},
    status: {
      resourceRules: rules.filter(({ resources = [] }) => resources.length > 0).map(resourceRule),
      nonResourceRules: rules.filter(({ nonResourceURLs = [] }) => nonResourceURLs.length > 0).map(pathRule),
      incomplete: false,
      ...(problems.length === 0 ? {} : { evaluationError: aggregateText(problems) }),
    },
  };
}

function resourceRule({ verbs, apiGroups, resources, resourceNames }: PolicyRule): object {
  return { verbs, apiGroups, resources, ...(resourceNames && resourceNames.length > 0 ? { resourceNames } : {}) };
}

function pathRule({ verbs, nonResourceURLs }: PolicyRule): object {
  return { verbs, nonResourceURLs };
}
