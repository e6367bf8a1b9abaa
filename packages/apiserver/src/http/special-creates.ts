import { answerTokenRequest, type Authenticator, type TokenIssuer, type TokenObjects } from '../authn/index.ts';
import type { Authorizer } from '../authz/index.ts';
import type { ApiObject } from '../objects/api-object.ts';
import type { Call, World } from '../operations/call.ts';
import { type Body, decodeObject } from '../operations/decode-object.ts';
import { settleNamespace } from '../operations/identity.ts';
import { trackedBy } from '../operations/tracked.ts';
import {
  answerLocalSubjectAccessReview,
  answerSelfSubjectAccessReview,
  answerSelfSubjectReview,
  answerSelfSubjectRulesReview,
  answerSubjectAccessReview,
  answerTokenReview,
} from '../reviews/index.ts';
import type { SpecialCreate } from './write-routes.ts';

export interface SpecialOptions {
  readonly authenticator: Authenticator;
  readonly authorizer: Authorizer;
  readonly issuer: TokenIssuer;
  readonly audiences: readonly string[];
  readonly objects: TokenObjects;
  readonly now: () => Date;
}

type AnswerReview = (review: ApiObject, call: Call) => ApiObject | Promise<ApiObject>;

/** Creations that store nothing: questions about identity and permission, and requests for tokens. */
export function specialCreates(options: SpecialOptions): ReadonlyMap<string, SpecialCreate> {
  const { authenticator, authorizer, now } = options;
  const authentication: Readonly<Record<string, AnswerReview>> = {
    tokenreviews: (review) => answerTokenReview(review, authenticator),
    selfsubjectreviews: (review, { user }) => answerSelfSubjectReview(review, user, now()),
  };
  const authorization: Readonly<Record<string, AnswerReview>> = {
    subjectaccessreviews: (review) => answerSubjectAccessReview(review, authorizer),
    selfsubjectaccessreviews: (review, { user }) => answerSelfSubjectAccessReview(review, user, authorizer),
    localsubjectaccessreviews: (review, { namespace = '' }) =>
      answerLocalSubjectAccessReview(review, namespace, authorizer),
    selfsubjectrulesreviews: (review, { user }) => answerSelfSubjectRulesReview(review, user, authorizer),
  };
  const named = (group: string, answers: Readonly<Record<string, AnswerReview>>) =>
    Object.entries(answers).map(([resource, answer]) => [`${group}/${resource}`, answerWith(answer)] as const);
  return new Map<string, SpecialCreate>([
    ...named('authentication.k8s.io', authentication),
    ...named('authorization.k8s.io', authorization),
    ['/serviceaccounts/token', (world, call, body) => issueToken(options, world, call, body)],
  ]);
}

function answerWith(answer: AnswerReview): SpecialCreate {
  return async (world, call, body) => ({ code: 201, object: await answer(sentObject(world, call, body), call) });
}

async function issueToken(options: SpecialOptions, world: World, call: Call, body: Body) {
  const { issuer, audiences, objects, now } = options;
  const type = { group: 'authentication.k8s.io', version: 'v1', kind: 'TokenRequest' };
  const resource = { ...call.resource, ...type, schema: undefined };
  const request = sentObject(world, { ...call, resource, subresource: 'token' }, body);
  const input = { namespace: call.namespace ?? '', name: call.name ?? '', request };
  const enforce = (object: ApiObject) => world.enforce?.(call, { operation: 'CREATE', object, kind: type });
  const answer = await answerTokenRequest(input, { issuer, audiences, objects, now: now(), enforce });
  for (const warning of answer.warnings) call.warn(warning);
  return { code: 201, object: answer.object };
}

/** What the client sent, as it would be stored if it were: most answers repeat it. */
function sentObject(world: World, call: Call, body: Body): ApiObject {
  const object = decodeObject(body, call, world.registry);
  settleNamespace(object, call);
  call.resource.schema?.applyDefaults(object);
  return trackedBy(world, call, undefined)(object);
}
