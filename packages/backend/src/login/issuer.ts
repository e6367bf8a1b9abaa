import type { VerifiedClaims } from '../policy/person.ts';

/** The identity provider, as far as the backend needs it. */
export interface Issuer {
  /** Throws `KLUTCH_ISSUER_UNREACHABLE` until the issuer has described itself. */
  check(): void;
  /** Whether people can log in by typing a code elsewhere; false until the issuer has described itself. */
  readonly offersDeviceCode: boolean;
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
  /** Begins a login with a code to type elsewhere. Throws like {@link check}. */
  beginDeviceLogin(): Promise<DeviceLogin>;
  /**
   * Asks once whether that login is done: the verified claims, or how to go on asking.
   * Throws `KLUTCH_LOGIN_DENIED`, `KLUTCH_SESSION_EXPIRED`, `KLUTCH_TOKEN_INVALID`, or like {@link check}.
   */
  pollDeviceLogin(deviceCode: string): Promise<{ readonly claims: VerifiedClaims } | StillWaiting>;
  /** Resolves when nothing of it goes on in the background any more. */
  readonly stopped: Promise<void>;
}

/** Nobody has typed the code yet; after `slow_down`, questions have to be five seconds further apart. */
export interface StillWaiting {
  readonly error: 'authorization_pending' | 'slow_down';
}

/** A login with a code to type elsewhere. */
export interface DeviceLogin {
  /** A secret, by which one may ask for the outcome. */
  readonly deviceCode: string;
  readonly userCode: string;
  readonly verificationUri: string;
  readonly verificationUriComplete?: string;
  readonly expiresInSeconds: number;
  readonly intervalSeconds: number;
}
