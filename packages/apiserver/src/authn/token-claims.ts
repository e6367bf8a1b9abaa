/** What service-account tokens say. Times are seconds since 1970. */
export interface TokenClaims {
  readonly iss?: string;
  readonly sub?: string;
  readonly aud?: string | readonly string[];
  readonly exp?: number;
  readonly nbf?: number;
  readonly iat?: number;
  readonly jti?: string;
  readonly 'kubernetes.io'?: BoundClaims;
  readonly [legacyClaim: `kubernetes.io/serviceaccount/${string}`]: string | undefined;
}

/** The account a token is for, and the object with which it ends. */
export interface BoundClaims {
  readonly namespace?: string;
  readonly serviceaccount?: ObjectClaim;
  readonly pod?: ObjectClaim;
  readonly secret?: ObjectClaim;
  readonly node?: ObjectClaim;
  /** From then on, use of the token is worth a note. */
  readonly warnafter?: number;
}

/** One object, not another one of the same name. */
export interface ObjectClaim {
  readonly name?: string;
  readonly uid?: string;
}

/** Issuer of the tokens in Secrets. */
export const LEGACY_ISSUER = 'kubernetes/serviceaccount';

/** Claims of the tokens in Secrets. */
export const LEGACY_CLAIMS = {
  namespace: 'kubernetes.io/serviceaccount/namespace',
  secretName: 'kubernetes.io/serviceaccount/secret.name',
  accountName: 'kubernetes.io/serviceaccount/service-account.name',
  accountUid: 'kubernetes.io/serviceaccount/service-account.uid',
} as const;
