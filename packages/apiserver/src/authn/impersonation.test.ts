import { describe, expect, it } from 'vitest';

import { BOOTSTRAP_POLICY } from '../authz/bootstrap/policy.ts';
import { forbiddenRequest } from '../authz/forbidden.ts';
import { createAuthorizer } from '../authz/rbac-authorizer.ts';
import type { RoleBinding } from '../authz/rbac-objects.ts';
import { readRecording } from '../authz/testing/recording.ts';
import { staticRoles } from '../authz/testing/static-roles.ts';
import { StatusError } from '../status/status-error.ts';
import { resolveImpersonation } from './impersonation.ts';
import type { RequestHeaders } from './request-headers.ts';
import type { User } from './user.ts';

interface RecordedRequest {
  readonly sender: string;
  /** Names and values in turn. */
  readonly headers: readonly string[];
  readonly code: number;
  readonly answer: object;
}

const roles = readRecording<RoleBinding>(new URL('./recorded/impersonation-roles.jsonl', import.meta.url));
const authorizer = createAuthorizer(
  staticRoles([...roles, ...BOOTSTRAP_POLICY.clusterRoles, ...BOOTSTRAP_POLICY.clusterRoleBindings]),
);
const SENDERS: Readonly<Record<string, User>> = {
  alice: { name: 'alice', uid: 'token-user-0', groups: ['devs', 'system:authenticated'] },
  root: { name: 'root', groups: ['system:masters', 'system:authenticated'] },
};
const senderOf = (name: string): User => SENDERS[name] ?? { name, groups: ['system:authenticated'] };

/** As Node presents them. */
function distinct(pairs: readonly string[]): RequestHeaders {
  const headers: Record<string, string[]> = {};
  for (let index = 0; index < pairs.length; index += 2) {
    const [name = '', value = ''] = pairs.slice(index, index + 2);
    (headers[name.toLowerCase()] ??= []).push(value);
  }
  return headers;
}

/** The recorded requests asked for a SelfSubjectReview, which not everybody may create. */
function whoAmI(headers: RequestHeaders, sender: User): { code: number; answer: object } {
  try {
    const user = resolveImpersonation(headers, sender, authorizer);
    const attributes = { user, verb: 'create', group: 'authentication.k8s.io', resource: 'selfsubjectreviews' };
    const { allowed, reason } = authorizer.authorize(attributes);
    if (!allowed) throw forbiddenRequest(attributes, reason);
    const { name, uid, groups, extra } = user;
    return { code: 201, answer: { username: name, ...(uid ? { uid } : {}), groups, ...(extra ? { extra } : {}) } };
  } catch (error) {
    if (!(error instanceof StatusError)) throw error;
    const { message, reason, details, code } = error;
    return { code, answer: { message, reason, ...(details ? { details } : {}), code } };
  }
}

describe('impersonation ends as with kube-apiserver', () => {
  const recorded = readRecording<RecordedRequest>(new URL('./recorded/impersonation.jsonl', import.meta.url));
  it.each(recorded.map((request) => [`${request.sender}: ${request.headers.join(' ')}`, request] as const))(
    '%s',
    (_, { sender, headers, code, answer }) => {
      expect(whoAmI(distinct(headers), senderOf(sender))).toEqual({ code, answer });
    },
  );
});

describe('impersonation', () => {
  const root = senderOf('root');
  const resolve = (headers: RequestHeaders) => resolveImpersonation(headers, root, authorizer);

  it('leaves requests without its headers alone', () => {
    expect(resolve({ authorization: ['Bearer x'], 'impersonate-user': undefined })).toBe(root);
  });

  it('drops the uid and extra of the sender', () => {
    const sender = { ...root, uid: 'u', extra: { k: ['v'] } };
    expect(resolveImpersonation({ 'impersonate-user': ['ann'] }, sender, authorizer)).toEqual({
      name: 'ann',
      groups: ['system:authenticated'],
    });
  });

  it('reads names as UTF-8', () => {
    const sent = Buffer.from('bj\u00f6rn', 'utf8').toString('latin1');
    expect(resolve({ 'impersonate-user': [sent] }).name).toBe('bj\u00f6rn');
  });

  it('joins values of keys that are written differently', () => {
    const headers = { 'impersonate-user': ['ann'], 'impersonate-extra-a%2fb': ['1'], 'impersonate-extra-a/b': ['2'] };
    expect(resolve(headers).extra).toEqual({ 'a/b': ['1', '2'] });
  });
});
