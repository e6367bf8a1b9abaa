import { randomUUID } from 'node:crypto';
import { SignJWT } from 'jose/jwt/sign';

import type { ApiObject } from '../objects/api-object.ts';
import type { SigningKey } from './service-account-key.ts';
import { serviceAccountUsername } from './service-account-user.ts';
import { LEGACY_CLAIMS, LEGACY_ISSUER, type ObjectClaim, type TokenClaims } from './token-claims.ts';

/** What a token is to say. */
export interface TokenContent {
  readonly serviceAccount: ApiObject;
  readonly audiences: readonly string[];
  readonly expirationSeconds: number;
  /** After that many seconds, use of the token is worth a note. */
  readonly warnAfterSeconds?: number;
  /** The object with which the token ends. */
  readonly boundObject?: BoundObject;
  readonly now: Date;
}

/** An object without which a token is worth nothing. */
export interface BoundObject {
  readonly kind: 'Pod' | 'Secret' | 'Node';
  readonly object: ObjectClaim;
  /** Where a pod runs, as far as known. */
  readonly node?: ObjectClaim;
}

/** Signs tokens of service accounts. */
export interface TokenIssuer {
  readonly issuer: string;
  /** A token as TokenRequest gives out. */
  issueToken(content: TokenContent): Promise<string>;
  /** A token to be kept in a Secret of type `kubernetes.io/service-account-token`; it ends with the Secret. */
  issueSecretToken(serviceAccount: ApiObject, secretName: string): Promise<string>;
}

/** @param issuer who the tokens say they come from, usually a URL */
export function createTokenIssuer(issuer: string, key: SigningKey): TokenIssuer {
  const sign = (claims: TokenClaims) =>
    new SignJWT({ ...claims } as Record<string, unknown>)
      .setProtectedHeader({ alg: key.algorithm, kid: key.id })
      .sign(key.privateKey);
  return {
    issuer,
    issueToken: (content) => sign(boundClaims(issuer, content)),
    issueSecretToken: (serviceAccount, secretName) => sign(legacyClaims(serviceAccount, secretName)),
  };
}

function boundClaims(issuer: string, content: TokenContent): TokenClaims {
  const { serviceAccount, audiences, expirationSeconds, warnAfterSeconds, boundObject, now } = content;
  const { name = '', namespace = '' } = serviceAccount.metadata;
  const issuedAt = Math.floor(now.getTime() / 1_000);
  return {
    aud: audiences,
    exp: issuedAt + expirationSeconds,
    iat: issuedAt,
    iss: issuer,
    jti: randomUUID(),
    'kubernetes.io': {
      namespace,
      ...bindingOf(boundObject),
      serviceaccount: claimOf(serviceAccount),
      ...(warnAfterSeconds === undefined ? {} : { warnafter: issuedAt + warnAfterSeconds }),
    },
    nbf: issuedAt,
    sub: serviceAccountUsername(namespace, name),
  };
}

function bindingOf(bound: BoundObject | undefined): { pod?: ObjectClaim; secret?: ObjectClaim; node?: ObjectClaim } {
  if (bound === undefined) return {};
  switch (bound.kind) {
    case 'Pod':
      return { ...(bound.node === undefined ? {} : { node: bound.node }), pod: bound.object };
    case 'Secret':
      return { secret: bound.object };
    case 'Node':
      return { node: bound.object };
  }
}

function legacyClaims(serviceAccount: ApiObject, secretName: string): TokenClaims {
  const { name = '', namespace = '', uid = '' } = serviceAccount.metadata;
  return {
    iss: LEGACY_ISSUER,
    [LEGACY_CLAIMS.namespace]: namespace,
    [LEGACY_CLAIMS.secretName]: secretName,
    [LEGACY_CLAIMS.accountName]: name,
    [LEGACY_CLAIMS.accountUid]: uid,
    sub: serviceAccountUsername(namespace, name),
  };
}

/** The claim about an object: its name and uid. */
export function claimOf({ metadata: { name, uid } }: ApiObject): ObjectClaim {
  return { name, uid };
}
