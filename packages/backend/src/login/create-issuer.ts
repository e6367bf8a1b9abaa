import { KlutchError } from '@klutch/api';
import { isLoopback } from '@klutch/api/contract';
import { type Clock, type Logger, systemClock } from '@klutch/kube';
import { customFetch as joseFetch, createRemoteJWKSet, type JWTVerifyGetKey } from 'jose';
import * as oidc from 'openid-client';
import { follow } from '../process/follow.ts';
import type { IssuerOptions } from '../process/options.ts';
import { discoverUntilFound } from './discover.ts';
import { exchangeFailure, isSecretRefused, issuerUnreachable } from './issuer-failures.ts';
import { createIssuerFetch, type IssuerFetch } from './issuer-fetch.ts';
import type { Issuer } from './issuer.ts';
import { verifyToken } from './verify-token.ts';

export interface CreateIssuerOptions {
  readonly issuer: IssuerOptions;
  /** Ends the search for the issuer. */
  readonly signal: AbortSignal;
  readonly log: Logger;
  readonly clock?: Clock;
  /** Lets the issuer be reached over http although it is not on this machine. Default false. */
  readonly allowHttp?: boolean;
  /** Milliseconds for which unknown keys do not make the issuer's keys be read again. Default 5 s. */
  readonly keyCooldownMs?: number;
  /** Milliseconds between two looks at the client secret. Default 10 s. */
  readonly secretEveryMs?: number;
}

/** What is there once the issuer has described itself. */
interface Found {
  readonly metadata: oidc.ServerMetadata;
  /** As it appears in tokens. */
  readonly name: string;
  readonly keys: JWTVerifyGetKey;
}

/**
 * A client of an OpenID Connect issuer. Looks for the issuer in the background until it answers, so that the backend can
 * start before it. Keys are read when they are needed, and again when a token names one that is not known.
 */
export function createIssuer(options: CreateIssuerOptions): Issuer {
  const { issuer, signal, log, clock = systemClock, keyCooldownMs = 5_000 } = options;
  const fetch = createIssuerFetch(issuer.ca);
  const isHttpAllowed = options.allowHttp === true || isLoopback(new URL(issuer.url));
  let known: Found | undefined;

  const secrets = follow(issuer.clientSecrets, {
    what: 'client secret',
    everyMs: options.secretEveryMs ?? 10_000,
    clock,
    log,
    signal,
    isSame: (one, other) => JSON.stringify(one) === JSON.stringify(other),
  });
  const searched = discoverUntilFound({ discover, signal, log, clock, issuer: issuer.url }).then((found) => {
    known = found;
  });
  const stopped = Promise.all([searched, secrets.stopped]).then(() => undefined);

  return {
    check: () => void found(),
    authorizationUrl: ({ state, nonce, challenge }) =>
      oidc.buildAuthorizationUrl(configFor(''), {
        redirect_uri: issuer.callbackUrl,
        scope: issuer.scopes.join(' '),
        state,
        nonce,
        code_challenge: challenge,
        code_challenge_method: 'S256',
      }),
    exchange: async (query, expected) => {
      const current = new URL(issuer.callbackUrl);
      current.search = query.toString();
      const tokens = await authenticated((config) =>
        oidc.authorizationCodeGrant(config, current, {
          expectedState: expected.state,
          expectedNonce: expected.nonce,
          pkceCodeVerifier: expected.verifier,
          idTokenExpected: true,
        }),
      ).catch((error: unknown) => {
        throw exchangeFailure(error, log);
      });
      return await verifiedIdToken(tokens.id_token, expected.nonce);
    },
    verifyAccessToken: async (token) => {
      const { keys, name } = found();
      return await verifyToken(token, { keys, issuer: name, now: clock.date(), log });
    },
    stopped,
  };

  function found(): Found {
    if (known === undefined) throw issuerUnreachable();
    return known;
  }

  /**
   * Sends a request with the secret of the client; when the issuer refuses it, with the others that are known, and when the
   * secret has just changed, with the new one. So a secret can be replaced at the issuer and here in any order.
   */
  async function authenticated<T>(request: (config: oidc.Configuration) => Promise<T>): Promise<T> {
    const tried: string[] = [];
    let refusal: unknown;
    for (let secret = await untried(tried); secret !== undefined; secret = await untried(tried)) {
      tried.push(secret);
      try {
        return await request(configFor(secret));
      } catch (error) {
        if (!isSecretRefused(error)) throw error;
        refusal = error;
      }
    }
    throw refusal;
  }

  async function untried(tried: readonly string[]): Promise<string | undefined> {
    const find = () => [...secrets.current(), ...(secrets.previous() ?? [])].find((secret) => !tried.includes(secret));
    return find() ?? ((await secrets.refresh()) ? find() : undefined);
  }

  function configFor(secret: string): oidc.Configuration {
    const { metadata } = found();
    const auth = clientAuthentication(secret, metadata.token_endpoint_auth_methods_supported);
    const config = new oidc.Configuration(metadata, issuer.clientId, { [oidc.clockTolerance]: toleranceSeconds }, auth);
    config[oidc.customFetch] = fetch;
    config.timeout = 10;
    if (isHttpAllowed) oidc.allowInsecureRequests(config);
    return config;
  }

  async function verifiedIdToken(idToken: string | undefined, nonce: string) {
    if (idToken === undefined) throw new KlutchError('KLUTCH_TOKEN_INVALID', 'The issuer sent no ID token.');
    const { keys, name } = found();
    const audience = { own: issuer.clientId, others: issuer.otherClientIds };
    return await verifyToken(idToken, { keys, issuer: name, now: clock.date(), log, audience, nonce });
  }

  async function discover(): Promise<Found> {
    const execute = isHttpAllowed ? [oidc.allowInsecureRequests] : [];
    const url = new URL(issuer.url);
    const seen = await oidc.discovery(url, issuer.clientId, undefined, oidc.None(), {
      [oidc.customFetch]: (address, request) =>
        fetch(address, { ...request, signal: AbortSignal.any([signal, ...(request.signal ? [request.signal] : [])]) }),
      execute,
      timeout: 10,
    });
    const metadata = seen.serverMetadata();
    if (metadata.jwks_uri === undefined) throw new Error('it publishes no keys');
    return { metadata, name: metadata.issuer, keys: remoteKeys(metadata.jwks_uri, fetch, keyCooldownMs) };
  }
}

/** Seconds by which the clocks of issuer and backend may differ. */
const toleranceSeconds = 30;

function remoteKeys(url: string, fetch: IssuerFetch, cooldownDuration: number): JWTVerifyGetKey {
  return createRemoteJWKSet(new URL(url), { cooldownDuration, [joseFetch]: fetch, timeoutDuration: 10_000 });
}

function clientAuthentication(secret: string, methods: readonly string[] = ['client_secret_basic']): oidc.ClientAuth {
  if (secret === '') return oidc.None();
  return methods.includes('client_secret_post') ? oidc.ClientSecretPost(secret) : oidc.ClientSecretBasic(secret);
}
