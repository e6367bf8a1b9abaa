import { describe, expect, it } from 'vitest';

import { createAuthenticator } from '../authn/authenticator.ts';
import type { User } from '../authn/user.ts';
import { createAuthorizer } from '../authz/rbac-authorizer.ts';
import { readRecording } from '../authz/testing/recording.ts';
import { recordedWorld, staticRoles } from '../authz/testing/static-roles.ts';
import type { ApiObject } from '../objects/api-object.ts';
import { StatusError } from '../status/status-error.ts';
import {
  answerLocalSubjectAccessReview,
  answerSelfSubjectAccessReview,
  answerSubjectAccessReview,
} from './access-reviews.ts';
import { answerSelfSubjectReview, answerTokenReview } from './identity-reviews.ts';
import { answerSelfSubjectRulesReview } from './rules-review.ts';

interface RecordedReview {
  readonly user: string;
  readonly namespace?: string;
  readonly object: ApiObject;
  readonly code: number;
  readonly answer: Record<string, unknown>;
}

const ISSUER = 'https://kubernetes.default.svc.cluster.local';
const NOW = new Date('2026-11-15T08:42:51.789Z');
const alice: User = { name: 'alice', uid: 'token-user-0', groups: ['devs', 'system:authenticated'] };
const USERS: Readonly<Record<string, User>> = {
  alice,
  root: { name: 'root', groups: ['system:masters', 'system:authenticated'] },
};

const authorizer = createAuthorizer(staticRoles(recordedWorld()));
const nothing = {
  serviceAccount: () => undefined,
  secret: () => undefined,
  pod: () => undefined,
  node: () => undefined,
};
const authenticator = createAuthenticator({
  tokens: new Map([['alice-token', { ...alice, groups: ['devs'] }]]),
  serviceAccounts: { issuer: ISSUER, audiences: [ISSUER], keys: [], objects: nothing },
});

const ask = async (object: ApiObject, user: User, namespace = ''): Promise<ApiObject> => {
  switch (object.kind) {
    case 'SubjectAccessReview':
      return answerSubjectAccessReview(object, authorizer);
    case 'SelfSubjectAccessReview':
      return answerSelfSubjectAccessReview(object, user, authorizer);
    case 'LocalSubjectAccessReview':
      return answerLocalSubjectAccessReview(object, namespace, authorizer);
    case 'SelfSubjectRulesReview':
      return answerSelfSubjectRulesReview(object, user, authorizer);
    case 'SelfSubjectReview':
      return answerSelfSubjectReview(object, user, NOW);
    default:
      return answerTokenReview(object, authenticator);
  }
};

/** The order of rules is not defined, and managed fields are written by others. */
function comparable(answer: unknown): unknown {
  const text = JSON.stringify(answer, (key, value: unknown) => {
    if (key === 'managedFields') return undefined;
    const isRules = key === 'resourceRules' || key === 'nonResourceRules';
    return isRules ? (value as unknown[]).map((rule) => JSON.stringify(sorted(rule))).sort() : value;
  });
  return JSON.parse(text.replaceAll(/,\\"managedFields\\":.*?\}\]\}(?=: must be empty)/g, '}'));
}

function sorted(value: unknown): unknown {
  return Object.fromEntries(Object.entries(value as object).sort(([left], [right]) => (left < right ? -1 : 1)));
}

describe('reviews are answered as by kube-apiserver', () => {
  const recorded = readRecording<RecordedReview>(new URL('./recorded/reviews.jsonl', import.meta.url)).filter(
    // Who may ask at all is not decided here; the status that clients send is dropped here and not there.
    ({ code, object }) => code !== 403 && !(object.kind === 'TokenReview' && object.status !== undefined),
  );

  it.each(
    recorded.map((review) => {
      const { kind, metadata, spec } = review.object;
      return [`${review.user}: ${kind} ${JSON.stringify(spec)} ${JSON.stringify(metadata ?? {})}`, review] as const;
    }),
  )('%s', async (_, { user, namespace, object, code, answer }) => {
    const who = USERS[user] ?? { name: user, groups: ['system:authenticated'] };
    const isNamespaced = object.kind === 'LocalSubjectAccessReview';
    // The request handler takes the namespace off kinds of the cluster.
    const metadata = isNamespaced ? { ...object.metadata } : { ...object.metadata, namespace: undefined };
    const outcome = await ask({ ...object, metadata }, who, namespace).catch((error: unknown) => error);
    if (code < 300) {
      expect(comparable(outcome)).toEqual(comparable(answer));
      return;
    }
    if (!(outcome instanceof StatusError)) throw outcome;
    const { message, reason, details } = outcome;
    expect(comparable({ message, reason, details, code: outcome.code })).toEqual(comparable(answer));
  });

  it('covers accepted and refused reviews of each kind', () => {
    const kinds = new Set(recorded.map(({ object, code }) => `${object.kind} ${code < 300}`));
    expect(kinds.size).toBe(11);
  });
});

describe('an access review', () => {
  const review = (spec: object, metadata = {}): ApiObject => ({
    apiVersion: 'authorization.k8s.io/v1',
    kind: 'Any',
    metadata,
    spec,
  });

  it('keeps the managed fields that the request handler wrote', () => {
    const metadata = { managedFields: [{ manager: 'x' }] };
    const answer = answerSelfSubjectAccessReview(
      review({ resourceAttributes: { verb: 'get' } }, metadata),
      alice,
      authorizer,
    );
    expect(answer.metadata).toEqual(metadata);
  });

  it('takes null and empty lists for nothing', () => {
    const question = { verb: 'get', resource: 'pods', fieldSelector: null, name: '' };
    const answer = answerSubjectAccessReview(
      review({ user: 'alice', groups: [], resourceAttributes: question }),
      authorizer,
    );
    expect(answer.spec).toEqual({ user: 'alice', resourceAttributes: { verb: 'get', resource: 'pods' } });
    expect(answer.status).toMatchObject({ allowed: true });
  });

  it('does not let its sender answer it', () => {
    const forged = { ...review({ resourceAttributes: { verb: 'x', resource: 'y' } }), status: { allowed: true } };
    expect(answerSelfSubjectAccessReview(forged, alice, authorizer).status).toEqual({ allowed: false });
  });
});

describe('a TokenReview', () => {
  const review = (token: string, status?: object): ApiObject => ({
    apiVersion: 'authentication.k8s.io/v1',
    kind: 'TokenReview',
    metadata: {},
    spec: { token },
    status,
  });

  it('drops what its sender claims', async () => {
    const forged = { authenticated: true, user: { username: 'forged' }, audiences: ['z'], error: 'mine' };
    expect((await answerTokenReview(review('nope', forged), authenticator)).status).toEqual({
      user: {},
      error: 'invalid bearer token',
    });
  });

  it('reads a token as requests carry it', async () => {
    expect((await answerTokenReview(review('alice-token more'), authenticator)).status).toMatchObject({
      authenticated: true,
    });
    expect((await answerTokenReview(review('  '), authenticator)).status).toEqual({ user: {} });
  });

  it('says for which of the wanted audiences a token is', async () => {
    const asked = { ...review('alice-token'), spec: { token: 'alice-token', audiences: ['other', ISSUER] } };
    expect((await answerTokenReview(asked, authenticator)).status).toMatchObject({ audiences: [ISSUER] });
  });
});
