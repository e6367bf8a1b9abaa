import type { X509Certificate } from 'node:crypto';
import { aggregateText } from '@klutch/cel';

import { type StatusError, unauthorized } from '../status/status-error.ts';
import { parseBearerToken } from './bearer-token.ts';
import { createCertificateVerifier } from './client-certificate.ts';
import { ANONYMOUS, asAuthenticated } from './everyone.ts';
import { firstValue, type RequestHeaders } from './request-headers.ts';
import {
  createServiceAccountTokens,
  type ServiceAccountTokenOptions,
  type TokenOutcome,
} from './service-account-tokens.ts';
import type { User } from './user.ts';

/** Which credentials are accepted. */
export interface AuthenticatorOptions {
  /** Authority of client certificates, in PEM. Absent: certificates say nothing. */
  readonly certificateAuthority?: string;
  /** That of members of `system:masters`, which changes when they are revoked. Default: the same. */
  readonly administratorAuthority?: () => string;
  /** Users by their static token; entries may come and go. */
  readonly tokens?: ReadonlyMap<string, User>;
  readonly serviceAccounts?: ServiceAccountTokenOptions;
  /** Default: the system's clock. */
  readonly now?: () => Date;
}

/** The part of a request that says who sends it. */
export interface Credentials {
  readonly headers: RequestHeaders;
  /** Shown in the TLS handshake; the same object for all requests of a connection spares work. */
  readonly peerCertificate?: X509Certificate;
}

/** Somebody, and what to tell them in `Warning` headers. */
export interface Authenticated {
  readonly user: User;
  readonly warnings: readonly string[];
}

/** Finds out who sends a request. */
export interface Authenticator {
  /**
   * Resolves to the user, who is anonymous without credentials. Rejects with 401 when there are credentials and none of
   * them is any good; the `cause` says why, for logs, as clients are not told.
   */
  authenticate(credentials: Credentials): Promise<Authenticated>;
  /** Judges a token for others. @param audiences wanted ones; default: this server */
  authenticateToken(token: string, audiences?: readonly string[]): Promise<TokenOutcome>;
}

const INVALID_TOKEN = 'invalid bearer token';

/** Certificates are looked at first, then static tokens, then tokens of service accounts. */
export function createAuthenticator(options: AuthenticatorOptions): Authenticator {
  const { certificateAuthority, administratorAuthority, tokens, serviceAccounts, now = () => new Date() } = options;
  const verifyCertificate =
    certificateAuthority === undefined
      ? undefined
      : createCertificateVerifier(certificateAuthority, administratorAuthority);
  const serviceAccountTokens = serviceAccounts && createServiceAccountTokens(serviceAccounts);
  const ownAudiences = serviceAccounts?.audiences ?? [];

  const authenticateToken = async (token: string, wanted: readonly string[] = []): Promise<TokenOutcome> => {
    const audiences = wanted.length === 0 ? ownAudiences : wanted;
    const outcome = staticUser(token, audiences) ?? (await serviceAccountTokens?.(token, audiences, now()));
    if (outcome === undefined) return { problem: INVALID_TOKEN };
    if ('problem' in outcome) return { problem: aggregateText([INVALID_TOKEN, outcome.problem]) };
    return { ...outcome, user: asAuthenticated(outcome.user) };
  };

  /** Static tokens are for this server, whatever else a reviewer may want. */
  const staticUser = (token: string, wanted: readonly string[]): TokenOutcome | undefined => {
    const user = tokens?.get(token);
    const audiences = wanted.filter((audience) => ownAudiences.includes(audience));
    return user === undefined || audiences.length < Math.min(1, wanted.length) ? undefined : { user, audiences };
  };

  const authenticate = async ({ headers, peerCertificate }: Credentials): Promise<Authenticated> => {
    const certificate = peerCertificate && verifyCertificate?.(peerCertificate, now());
    if (certificate && 'user' in certificate && certificate.user)
      return { user: asAuthenticated(certificate.user), warnings: [] };
    const problems = certificate && 'problem' in certificate ? [certificate.problem] : [];

    const bearer = parseBearerToken(firstValue(headers, 'authorization'));
    const warnings = bearer && 'warning' in bearer ? [bearer.warning] : [];
    const outcome = bearer?.token === undefined ? undefined : await authenticateToken(bearer.token);
    if (outcome && 'user' in outcome) return { user: outcome.user, warnings: outcome.warning ? [outcome.warning] : [] };
    if (outcome) problems.push(outcome.problem);
    if (problems.length > 0) throw refusal(problems);
    return { user: ANONYMOUS, warnings };
  };

  return { authenticate, authenticateToken };
}

function refusal(problems: readonly string[]): StatusError {
  return Object.assign(unauthorized(), { cause: new Error(aggregateText(problems)) });
}
