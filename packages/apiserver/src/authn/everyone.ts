import type { User } from './user.ts';

/** Group of all users who proved who they are. */
export const AUTHENTICATED = 'system:authenticated';

/** Group of those who did not. */
export const UNAUTHENTICATED = 'system:unauthenticated';

/** Name of those who did not. */
export const ANONYMOUS_NAME = 'system:anonymous';

/** Who sends requests without any credentials. */
export const ANONYMOUS: User = { name: ANONYMOUS_NAME, groups: [UNAUTHENTICATED] };

/** Key of a user's `extra` that identifies the credential used, for audit. */
export const CREDENTIAL_ID = 'authentication.kubernetes.io/credential-id';

/** A user who has proved who they are, as a member of the group of all such users. */
export function asAuthenticated(user: User): User {
  const isSettled =
    user.name === ANONYMOUS_NAME || user.groups.includes(AUTHENTICATED) || user.groups.includes(UNAUTHENTICATED);
  return isSettled ? user : { ...user, groups: [...user.groups, AUTHENTICATED] };
}
