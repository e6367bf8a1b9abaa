import type { ApiObject } from '../objects/api-object.ts';
import { CREDENTIAL_ID } from './everyone.ts';
import { serviceAccountGroups, serviceAccountUsername } from './service-account-user.ts';
import type { BoundClaims, ObjectClaim, TokenClaims } from './token-claims.ts';
import type { TokenObjects } from './token-objects.ts';
import type { User } from './user.ts';

/** Whose token it is, or why it is worth nothing; the problem is told to who reviews the token. */
export type TokenVerdict = { readonly user: User } | { readonly problem: string };

/** Clocks may differ by this, and deletions take a while to get around. */
const LEEWAY_MS = 60_000;

/** Judges the verified claims of a token that TokenRequest issued: time, account, and the object it is bound to. */
export function judgeBoundToken(claims: TokenClaims, objects: TokenObjects, now: Date): TokenVerdict {
  const bound = claims['kubernetes.io'] ?? {};
  const problem =
    timeProblem(claims, now) ?? accountProblem(bound, objects, now) ?? bindingProblem(bound, objects, now);
  return problem === undefined ? { user: userOf(claims, bound) } : { problem };
}

function timeProblem({ nbf, exp, iat }: TokenClaims, now: Date): string | undefined {
  const time = now.getTime();
  if (nbf !== undefined && time + LEEWAY_MS < nbf * 1_000) return 'service account token is not valid yet';
  if (exp !== undefined && time - LEEWAY_MS > exp * 1_000) return 'service account token has expired';
  if (iat !== undefined && time + LEEWAY_MS < iat * 1_000) return 'service account token is issued in the future';
  return undefined;
}

function accountProblem(
  { namespace = '', serviceaccount = {} }: BoundClaims,
  objects: TokenObjects,
  now: Date,
): string | undefined {
  const { name = '', uid = '' } = serviceaccount;
  if (name === '') return 'resource name may not be empty';
  const account = objects.serviceAccount(namespace, name);
  if (account === undefined) return `serviceaccounts "${name}" not found`;
  if (account.metadata.uid !== uid)
    return `service account UID (${account.metadata.uid}) does not match claim (${uid})`;
  return isGone(account, now) ? `service account ${namespace}/${name} has been deleted` : undefined;
}

function bindingProblem(
  { namespace = '', secret, pod, node }: BoundClaims,
  objects: TokenObjects,
  now: Date,
): string | undefined {
  const find = {
    secret: ({ name = '' }: ObjectClaim) => objects.secret(namespace, name),
    pod: ({ name = '' }: ObjectClaim) => objects.pod(namespace, name),
    node: ({ name = '' }: ObjectClaim) => objects.node(name),
  };
  const problem = (kind: keyof typeof find, claim: ObjectClaim | undefined) =>
    claim && boundObjectProblem(kind, claim, find[kind](claim), now);
  // The node of a pod is only information.
  return problem('secret', secret) ?? problem('pod', pod) ?? (pod === undefined ? problem('node', node) : undefined);
}

function boundObjectProblem(
  kind: string,
  { uid = '' }: ObjectClaim,
  object: ApiObject | undefined,
  now: Date,
): string | undefined {
  const invalidated = 'service account token has been invalidated';
  if (object === undefined) return invalidated;
  const { uid: actual } = object.metadata;
  if (actual !== uid) return `${kind} UID (${actual}) does not match service account ${kind} ref claim (${uid})`;
  return isGone(object, now) ? invalidated : undefined;
}

function isGone({ metadata: { deletionTimestamp } }: ApiObject, now: Date): boolean {
  return deletionTimestamp !== undefined && Date.parse(deletionTimestamp) < now.getTime() - LEEWAY_MS;
}

function userOf({ jti }: TokenClaims, { namespace = '', serviceaccount = {}, pod, node }: BoundClaims): User {
  const extra = Object.fromEntries(
    [
      [CREDENTIAL_ID, jti && `JTI=${jti}`],
      ['authentication.kubernetes.io/node-name', node?.name],
      ['authentication.kubernetes.io/node-uid', node?.uid],
      ['authentication.kubernetes.io/pod-name', pod?.name],
      ['authentication.kubernetes.io/pod-uid', pod?.uid],
    ].flatMap(([key, value]) => (key && value ? [[key, [value]]] : [])),
  );
  return {
    name: serviceAccountUsername(namespace, serviceaccount.name ?? ''),
    uid: serviceaccount.uid,
    groups: serviceAccountGroups(namespace),
    ...(Object.keys(extra).length === 0 ? {} : { extra }),
  };
}
