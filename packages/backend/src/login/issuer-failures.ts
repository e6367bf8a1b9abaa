import { KlutchError } from '@klutch/api';
import type { Logger } from '@klutch/kube';
import { ClientError, ResponseBodyError, WWWAuthenticateChallengeError } from 'openid-client';

/** The answer to everything that needs the identity provider while it does not answer. */
export function issuerUnreachable(): KlutchError {
  return new KlutchError(
    'KLUTCH_ISSUER_UNREACHABLE',
    'The identity provider does not answer, so logins are not possible at the moment. Try again later.',
  );
}

/**
 * What the failure of exchanging a code means. Details go to the log as codes, since texts of issuers and decoders may repeat
 * what was sent.
 */
export function exchangeFailure(error: unknown, log: Logger): KlutchError {
  if (error instanceof ResponseBodyError && error.error === 'invalid_grant') {
    log.warn({ reason: error.error }, 'the identity provider refused a login code');
    return new KlutchError(
      'KLUTCH_LOGIN_STATE_INVALID',
      'The identity provider does not accept this login any more. Start the login again.',
    );
  }
  return otherFailure(error, log);
}

/** Whether the issuer does not accept the secret of the client. Keycloak answers with `unauthorized_client`. */
export function isSecretRefused(error: unknown): boolean {
  if (error instanceof WWWAuthenticateChallengeError) return error.status === 401;
  return error instanceof ResponseBodyError && ['invalid_client', 'unauthorized_client'].includes(error.error);
}

function otherFailure(error: unknown, log: Logger): KlutchError {
  const reason = reasonOf(error);
  if (isBadToken(error)) {
    log.warn({ check: reason }, 'refused a token');
    return new KlutchError(
      'KLUTCH_TOKEN_INVALID',
      'The identity provider sent a token that is not valid. Log in again.',
    );
  }
  log.error({ reason }, 'the identity provider did not do what it was asked for');
  return issuerUnreachable();
}

const tokenProblems = [
  'OAUTH_JWT_CLAIM_COMPARISON_FAILED',
  'OAUTH_JWT_TIMESTAMP_CHECK_FAILED',
  'OAUTH_INVALID_RESPONSE',
  'OAUTH_KEY_SELECTION_FAILED',
  'OAUTH_UNSUPPORTED_OPERATION',
];

function isBadToken(error: unknown): boolean {
  return error instanceof ClientError && tokenProblems.includes(error.code ?? '');
}

/** Codes only: the messages of issuers may repeat parameters. */
function reasonOf(error: unknown): string {
  if (error instanceof ResponseBodyError) return error.error;
  if (error instanceof Error && 'code' in error && typeof error.code === 'string') return error.code;
  return error instanceof Error ? error.name : 'unknown';
}
