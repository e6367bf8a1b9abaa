import { createHash, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { describe, expect, it } from 'vitest';

import { jsonWebKeySet, openIdConfiguration } from './issuer-metadata.ts';
import { loadSigningKey, loadVerificationKey } from './service-account-key.ts';

const pkcs8 = (key: KeyObject) => key.export({ type: 'pkcs8', format: 'pem' }).toString();
const spki = (key: KeyObject) => key.export({ type: 'spki', format: 'pem' }).toString();
const curve = (namedCurve: string) => generateKeyPairSync('ec', { namedCurve });

describe('a key for service-account tokens', () => {
  it.each([
    ['ES256', curve('P-256')],
    ['ES384', curve('P-384')],
    ['ES512', curve('P-521')],
    ['RS256', generateKeyPairSync('rsa', { modulusLength: 2_048 })],
  ])('signs with %s by its type', (algorithm, { privateKey, publicKey }) => {
    expect(loadSigningKey(pkcs8(privateKey)).algorithm).toBe(algorithm);
    expect(loadVerificationKey(spki(publicKey)).algorithm).toBe(algorithm);
  });

  it('is named by the digest of its public part, as Kubernetes does', () => {
    const { privateKey, publicKey } = curve('P-256');
    const digest = createHash('sha256')
      .update(publicKey.export({ type: 'spki', format: 'der' }))
      .digest('base64url');
    expect(loadSigningKey(pkcs8(privateKey)).id).toBe(digest);
    expect(loadVerificationKey(spki(publicKey)).id).toBe(digest);
  });

  it('of another type is refused', () => {
    const { privateKey } = generateKeyPairSync('ed25519');
    expect(() => loadSigningKey(pkcs8(privateKey))).toThrow('RSA, or ECDSA');
    expect(() => loadSigningKey(pkcs8(curve('secp256k1').privateKey))).toThrow('RSA, or ECDSA');
  });
});

describe('what others need to verify tokens', () => {
  const key = loadSigningKey(pkcs8(curve('P-256').privateKey));

  it('has the public parts of the keys and nothing else', () => {
    const { keys } = jsonWebKeySet([key]);
    expect(keys).toEqual([
      { use: 'sig', kty: 'EC', kid: key.id, alg: 'ES256', crv: 'P-256', x: expect.any(String), y: expect.any(String) },
    ]);
  });

  it('says who issues them and where the keys are', () => {
    expect(openIdConfiguration('https://issuer', 'https://host/openid/v1/jwks', [key, key])).toEqual({
      issuer: 'https://issuer',
      jwks_uri: 'https://host/openid/v1/jwks',
      response_types_supported: ['id_token'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['ES256'],
    });
  });
});
