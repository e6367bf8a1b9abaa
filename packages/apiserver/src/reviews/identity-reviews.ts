import type { Authenticator } from '../authn/authenticator.ts';
import { parseBearerToken } from '../authn/bearer-token.ts';
import type { User } from '../authn/user.ts';
import type { ApiObject } from '../objects/api-object.ts';
import { badRequest } from '../status/status-error.ts';
import { userInfo } from './user-info.ts';

/** Who am I? The answer to a SelfSubjectReview, whatever was in it. */
export function answerSelfSubjectReview(review: ApiObject, user: User, now: Date): ApiObject {
  return {
    apiVersion: review.apiVersion,
    kind: review.kind,
    metadata: { creationTimestamp: `${now.toISOString().slice(0, 19)}Z` },
    status: { userInfo: userInfo(user) },
  };
}

/** Whose token is this? The answer to a TokenReview. What the client wrote into its status is dropped. */
export async function answerTokenReview(
  review: ApiObject,
  authenticator: Pick<Authenticator, 'authenticateToken'>,
): Promise<ApiObject> {
  const { token, audiences } = (review.spec ?? {}) as { token?: string; audiences?: readonly string[] | null };
  if (!token) throw badRequest('token is required for TokenReview in authentication');
  const { apiVersion, kind, metadata, spec } = review;
  return { apiVersion, kind, metadata, spec, status: await judge(token, audiences ?? [], authenticator) };
}

async function judge(
  token: string,
  audiences: readonly string[],
  authenticator: Pick<Authenticator, 'authenticateToken'>,
): Promise<object> {
  // A token is what would be taken for one in a request.
  const bearer = parseBearerToken(`Bearer ${token}`);
  if (bearer?.token === undefined) return { user: {} };
  const outcome = await authenticator.authenticateToken(bearer.token, audiences);
  if ('problem' in outcome) return { user: {}, error: outcome.problem };
  const accepted = outcome.audiences.length === 0 ? {} : { audiences: outcome.audiences };
  return { authenticated: true, user: userInfo(outcome.user), ...accepted };
}
