export {
  type Authenticated,
  type Authenticator,
  type AuthenticatorOptions,
  createAuthenticator,
  type Credentials,
} from './authenticator.ts';
export { parseBearerToken } from './bearer-token.ts';
export { ANONYMOUS, ANONYMOUS_NAME, AUTHENTICATED, UNAUTHENTICATED } from './everyone.ts';
export { resolveImpersonation } from './impersonation.ts';
export { jsonWebKeySet, openIdConfiguration } from './issuer-metadata.ts';
export { dayOf, LEGACY_LAST_USED } from './legacy-token.ts';
export type { RequestHeaders } from './request-headers.ts';
export { loadSigningKey, loadVerificationKey, type SigningKey, type VerificationKey } from './service-account-key.ts';
export type { ServiceAccountTokenOptions, TokenOutcome } from './service-account-tokens.ts';
export { parseServiceAccountUsername, serviceAccountGroups, serviceAccountUsername } from './service-account-user.ts';
export { createTokenIssuer, type TokenContent, type TokenIssuer } from './token-issuer.ts';
export type { TokenObjects } from './token-objects.ts';
export {
  answerTokenRequest,
  type TokenRequestAnswer,
  type TokenRequestContext,
  type TokenRequestInput,
} from './token-request.ts';
export type { User } from './user.ts';
