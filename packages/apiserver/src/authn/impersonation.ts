import type { ResourceAttributes } from '../authz/attributes.ts';
import { forbiddenRequest } from '../authz/forbidden.ts';
import type { Authorizer } from '../authz/rbac-authorizer.ts';
import { badRequest } from '../status/status-error.ts';
import { ANONYMOUS_NAME, AUTHENTICATED, UNAUTHENTICATED } from './everyone.ts';
import { allValues, firstValue, type RequestHeaders } from './request-headers.ts';
import { parseServiceAccountUsername, serviceAccountGroups } from './service-account-user.ts';
import type { User } from './user.ts';

/**
 * The user a request is to be treated as coming from: whom its `Impersonate-` headers name, if any, or else its sender.
 * Throws the refusal when the sender may not impersonate each of the things named.
 */
export function resolveImpersonation(
  headers: RequestHeaders,
  sender: User,
  authorizer: Pick<Authorizer, 'authorize'>,
): User {
  const wanted = parseHeaders(headers);
  const claims = claimsOf(wanted);
  if (claims.length === 0) return sender;
  if (wanted.user === '')
    throw badRequest(`requested [${claims.map(claimText).join(' ')}] without impersonating a user`);
  for (const claim of claims) {
    const attributes: ResourceAttributes = { user: sender, verb: 'impersonate', ...attributesOf(claim) };
    const { allowed, reason } = authorizer.authorize(attributes);
    if (!allowed) throw forbiddenRequest(attributes, reason);
  }
  return impersonatedUser(wanted);
}

interface Wanted {
  readonly user: string;
  readonly groups: readonly string[];
  readonly uid: string;
  readonly extra: ReadonlyMap<string, readonly string[]>;
}

const EXTRA_PREFIX = 'impersonate-extra-';
const AUTHENTICATION_GROUP = 'authentication.k8s.io';

function parseHeaders(headers: RequestHeaders): Wanted {
  const extra = new Map<string, readonly string[]>();
  for (const header of Object.keys(headers)) {
    if (!header.startsWith(EXTRA_PREFIX)) continue;
    const key = decodeKey(header.slice(EXTRA_PREFIX.length));
    extra.set(key, [...(extra.get(key) ?? []), ...allValues(headers, header)]);
  }
  return {
    user: firstValue(headers, 'impersonate-user'),
    groups: allValues(headers, 'impersonate-group'),
    uid: firstValue(headers, 'impersonate-uid'),
    extra,
  };
}

function decodeKey(encoded: string): string {
  try {
    return decodeURIComponent(encoded);
  } catch {
    return encoded;
  }
}

/** One thing the sender wants to be. */
interface Claim {
  readonly kind: 'ServiceAccount' | 'User' | 'Group' | 'UserExtra' | 'UID';
  readonly name: string;
  readonly namespace?: string;
  readonly key?: string;
}

function claimsOf({ user, groups, uid, extra }: Wanted): Claim[] {
  return [
    ...(user === '' ? [] : [userClaim(user)]),
    ...groups.map((name): Claim => ({ kind: 'Group', name })),
    ...[...extra].flatMap(([key, values]) => values.map((name): Claim => ({ kind: 'UserExtra', name, key }))),
    ...(uid === '' ? [] : [{ kind: 'UID', name: uid } as const]),
  ];
}

function userClaim(name: string): Claim {
  const account = parseServiceAccountUsername(name);
  return account === undefined ? { kind: 'User', name } : { kind: 'ServiceAccount', ...account };
}

function attributesOf({ kind, name, namespace, key }: Claim): Omit<ResourceAttributes, 'user' | 'verb'> {
  switch (kind) {
    case 'ServiceAccount':
      return { group: '', resource: 'serviceaccounts', namespace, name };
    case 'User':
      return { group: '', resource: 'users', name };
    case 'Group':
      return { group: '', resource: 'groups', name };
    case 'UserExtra':
      return { group: AUTHENTICATION_GROUP, resource: 'userextras', subresource: key, name };
    case 'UID':
      return { group: AUTHENTICATION_GROUP, resource: 'uids', name };
  }
}

/** An object reference as Go prints it: kind, namespace, name, uid, version, resource version, field path. */
function claimText({ kind, name, key = '' }: Claim): string {
  const version = kind === 'UserExtra' || kind === 'UID' ? `${AUTHENTICATION_GROUP}/v1` : '';
  return `{${kind}  ${name}  ${version}  ${key}}`;
}

function impersonatedUser({ user, groups, uid, extra }: Wanted): User {
  const account = parseServiceAccountUsername(user);
  const named = groups.length === 0 && account !== undefined ? serviceAccountGroups(account.namespace) : groups;
  return {
    name: user,
    ...(uid === '' ? {} : { uid }),
    groups: withEveryone(user, named),
    ...(extra.size === 0 ? {} : { extra: Object.fromEntries(extra) }),
  };
}

function withEveryone(name: string, groups: readonly string[]): readonly string[] {
  if (groups.includes(UNAUTHENTICATED)) return groups;
  if (name === ANONYMOUS_NAME) return [...groups, UNAUTHENTICATED];
  return groups.includes(AUTHENTICATED) ? groups : [...groups, AUTHENTICATED];
}
