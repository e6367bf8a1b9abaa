import { timingSafeEqual } from 'node:crypto';

import type { ApiObject } from '../objects/api-object.ts';
import type { TokenVerdict } from './bound-token.ts';
import { parseServiceAccountUsername, serviceAccountGroups } from './service-account-user.ts';
import { LEGACY_CLAIMS, type TokenClaims } from './token-claims.ts';
import type { TokenObjects } from './token-objects.ts';

/** A verdict about a token from a Secret. */
export type LegacyVerdict = TokenVerdict & {
  /** For the client to see. */
  readonly warning?: string;
  /** The Secret, when its token was worth a look. */
  readonly secret?: ApiObject;
};

/** Label with which administrators take a token out of use. */
const INVALID_SINCE = 'kubernetes.io/legacy-token-invalid-since';

/** Label that says on which day a token was used last, as `YYYY-MM-DD`. */
export const LEGACY_LAST_USED = 'kubernetes.io/legacy-token-last-used';

const GENERATED_WARNING =
  'Use tokens from the TokenRequest API or manually created secret-based tokens instead of auto-generated secret-based tokens.';

/** Judges the verified claims of a token from a Secret of type `kubernetes.io/service-account-token`. */
export function judgeLegacyToken(token: string, claims: TokenClaims, objects: TokenObjects): LegacyVerdict {
  const {
    [LEGACY_CLAIMS.namespace]: namespace = '',
    [LEGACY_CLAIMS.secretName]: secretName = '',
    [LEGACY_CLAIMS.accountName]: name = '',
    [LEGACY_CLAIMS.accountUid]: uid = '',
    sub = '',
  } = claims;
  if (sub === '') return { problem: 'sub claim is missing' };
  if (namespace === '') return { problem: 'namespace claim is missing' };
  if (secretName === '') return { problem: 'secretName claim is missing' };
  if (name === '') return { problem: 'serviceAccountName claim is missing' };
  if (uid === '') return { problem: 'serviceAccountUID claim is missing' };
  const subject = parseServiceAccountUsername(sub);
  if (subject?.namespace !== namespace || subject.name !== name) return { problem: 'sub claim is invalid' };

  const secret = objects.secret(namespace, secretName);
  if (secret === undefined || secret.metadata.deletionTimestamp !== undefined)
    return { problem: 'Token has been invalidated' };
  if (!holdsToken(secret, token)) return { problem: "Token does not match server's copy" };
  const account = objects.serviceAccount(namespace, name);
  if (account === undefined) return { problem: `serviceaccounts "${name}" not found` };
  if (account.metadata.deletionTimestamp !== undefined)
    return { problem: `ServiceAccount ${namespace}/${name} has been deleted` };
  if (account.metadata.uid !== uid)
    return { problem: `ServiceAccount UID (${account.metadata.uid}) does not match claim (${uid})` };
  if (secret.metadata.labels?.[INVALID_SINCE]) return { problem: markedInvalid(namespace, secretName, name), secret };
  return {
    user: { name: sub, uid, groups: serviceAccountGroups(namespace) },
    secret,
    ...(mentions(account, secretName) ? { warning: GENERATED_WARNING } : {}),
  };
}

/** Whether a Secret should be given a new label because its token was used. Clocks may be a day apart. */
export function isLastUsedStale({ metadata }: ApiObject, now: Date): boolean {
  const tomorrow = new Date(now.getTime() + 86_400_000);
  return ![dayOf(now), dayOf(tomorrow)].includes(metadata.labels?.[LEGACY_LAST_USED] ?? '');
}

/** A day as the label has it. */
export function dayOf(date: Date): string {
  return date.toISOString().slice(0, 10);
}

function holdsToken({ data }: ApiObject, token: string): boolean {
  const stored = Buffer.from((data as Record<string, string> | undefined)?.token ?? '', 'base64');
  const given = Buffer.from(token);
  return stored.length === given.length && timingSafeEqual(stored, given);
}

function mentions({ secrets }: ApiObject, secretName: string): boolean {
  return Array.isArray(secrets) && secrets.some((reference: { name?: string }) => reference.name === secretName);
}

function markedInvalid(namespace: string, secretName: string, accountName: string): string {
  return (
    `the token in secret ${namespace}/${secretName} for service account ${namespace}/${accountName} has been marked invalid. ` +
    'Use tokens from the TokenRequest API or manually created secret-based tokens, ' +
    `or remove the '${INVALID_SINCE}' label from the secret to temporarily allow use of this token`
  );
}
