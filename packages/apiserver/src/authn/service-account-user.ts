import { isLongName, isShortName } from '@klutch/cel';

/** Names and groups of service accounts as users. */

const USERNAME_PREFIX = 'system:serviceaccount:';

/** Every service account is a member. */
export const ALL_SERVICE_ACCOUNTS = 'system:serviceaccounts';

/** A service account, by where it lives and what it is called. */
export interface ServiceAccountName {
  readonly namespace: string;
  readonly name: string;
}

/** The name of a service account as a user. */
export function serviceAccountUsername(namespace: string, name: string): string {
  return `${USERNAME_PREFIX}${namespace}:${name}`;
}

/** The groups every service account of a namespace is a member of. */
export function serviceAccountGroups(namespace: string): string[] {
  return [ALL_SERVICE_ACCOUNTS, `${ALL_SERVICE_ACCOUNTS}:${namespace}`];
}

/** The service account a user name stands for, undefined when it does not stand for one. */
export function parseServiceAccountUsername(username: string): ServiceAccountName | undefined {
  if (!username.startsWith(USERNAME_PREFIX)) return undefined;
  const [namespace = '', name = '', ...more] = username.slice(USERNAME_PREFIX.length).split(':');
  if (more.length > 0 || !isShortName(namespace) || !isLongName(name)) return undefined;
  return { namespace, name };
}
