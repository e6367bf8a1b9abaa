import type { VerifiedClaims } from '../policy/person.ts';

/** The identity provider, as far as the backend needs it. */
export interface Issuer {
  /** Throws `KLUTCH_ISSUER_UNREACHABLE` until the issuer has described itself. */
  check(): void;
  /** Where a browser has to go to log in. Throws like {@link check}. */
  authorizationUrl(login: { readonly state: string; readonly nonce: string; readonly challenge: string }): URL;
  /**
   * Exchanges what a browser brought back for the verified claims of an ID token. Throws `KLUTCH_TOKEN_INVALID`,
   * `KLUTCH_LOGIN_STATE_INVALID` when the issuer does not accept the code, or like {@link check}.
   */
  exchange(
    query: URLSearchParams,
    expected: { readonly state: string; readonly nonce: string; readonly verifier: string },
  ): Promise<VerifiedClaims>;
  /** The verified claims of an access token. Throws `KLUTCH_TOKEN_INVALID`, or like {@link check}. */
  verifyAccessToken(token: string): Promise<VerifiedClaims>;
  /** Resolves when nothing of it goes on in the background any more. */
  readonly stopped: Promise<void>;
}
