import type { VerificationKey } from './service-account-key.ts';

/**
 * What others need to verify service-account tokens by themselves, in the formats of OpenID Connect: served at
 * `/.well-known/openid-configuration` and `/openid/v1/jwks`.
 */

/** @param jwksUri where the keys are served */
export function openIdConfiguration(issuer: string, jwksUri: string, keys: readonly VerificationKey[]) {
  return {
    issuer,
    jwks_uri: jwksUri,
    response_types_supported: ['id_token'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: [...new Set(keys.map(({ algorithm }) => algorithm))],
  };
}

/** The public keys, without anything that could sign. */
export function jsonWebKeySet(keys: readonly VerificationKey[]) {
  return {
    keys: keys.map(({ id, algorithm, publicKey }) => {
      const { kty, ...rest } = publicKey.export({ format: 'jwk' });
      return { use: 'sig', kty, kid: id, alg: algorithm, ...rest };
    }),
  };
}
