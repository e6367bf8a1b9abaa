import { KlutchError } from '@klutch/api';
import type { Logger } from '@klutch/kube';
import { errors, type JWTPayload, jwtVerify, type JWTVerifyGetKey } from 'jose';
import type { VerifiedClaims } from '../policy/person.ts';
import { isSameText } from './login-proof.ts';
import { issuerUnreachable } from './issuer-failures.ts';

/** What a token has to be like. */
export interface Expected {
  readonly keys: JWTVerifyGetKey;
  readonly issuer: string;
  readonly now: Date;
  readonly log: Logger;
  /** For ID tokens: the client that asked, and those besides it that a token may be meant for as well. */
  readonly audience?: { readonly own: string; readonly others: readonly string[] };
  readonly nonce?: string;
}

/** Signatures that only the issuer can make; shared secrets and none are not among them. */
const algorithms = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
];

/**
 * The claims of a token that the issuer signed and that is valid now: signature, issuer, times, and, where given, audience,
 * authorised party and nonce. Throws `KLUTCH_TOKEN_INVALID`, or `KLUTCH_ISSUER_UNREACHABLE` when the keys cannot be read.
 */
export async function verifyToken(token: string, expected: Expected): Promise<VerifiedClaims> {
  const claims = await signedClaims(token, expected);
  const problem =
    expected.audience && (problemWithAudience(claims, expected.audience) ?? problemWithNonce(claims, expected.nonce));
  if (problem !== undefined) throw invalid(problem, expected.log);
  return { ...claims, iss: expected.issuer };
}

async function signedClaims(token: string, { keys, issuer, now, log, audience }: Expected): Promise<JWTPayload> {
  try {
    const { payload } = await jwtVerify(token, keys, {
      algorithms,
      issuer,
      currentDate: now,
      clockTolerance: 30,
      requiredClaims: audience ? ['exp', 'iat', 'sub', 'aud'] : ['exp'],
    });
    return payload;
  } catch (error) {
    if (!(error instanceof errors.JOSEError) || error instanceof errors.JWKSTimeout || isNoAnswer(error)) {
      log.warn(
        { reason: error instanceof Error ? error.message : 'unknown' },
        'keys of the identity provider cannot be read',
      );
      throw issuerUnreachable();
    }
    throw invalid(error.code, log);
  }
}

/** What jose throws when the address of the keys answers with an error or something else than keys. */
function isNoAnswer(error: errors.JOSEError): boolean {
  return error.code === 'ERR_JOSE_GENERIC' || error instanceof errors.JWKSInvalid;
}

function problemWithAudience(
  claims: JWTPayload,
  { own, others }: { own: string; others: readonly string[] },
): string | undefined {
  const audiences = [claims.aud ?? []].flat();
  if (!audiences.includes(own)) return 'audience';
  if (!audiences.every((audience) => audience === own || others.includes(audience))) return 'untrusted audience';
  const party = claims['azp'];
  if (party === undefined) return audiences.length > 1 ? 'no authorised party' : undefined;
  return party === own ? undefined : 'authorised party';
}

function problemWithNonce(claims: JWTPayload, nonce: string | undefined): string | undefined {
  if (nonce === undefined) return undefined;
  return typeof claims['nonce'] === 'string' && isSameText(claims['nonce'], nonce) ? undefined : 'nonce';
}

/** Which check failed is for the operator; whoever sent the token learns only that it is not good. */
function invalid(check: string, log: Logger): KlutchError {
  log.warn({ check }, 'refused a token');
  return new KlutchError(
    'KLUTCH_TOKEN_INVALID',
    'The token is not a valid one of this identity provider for this backend. Log in again; for machines, check issuer, client and scope.',
  );
}
