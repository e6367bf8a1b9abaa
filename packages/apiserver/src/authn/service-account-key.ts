import { createHash, createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';

/** A key that verifies service-account tokens. */
export interface VerificationKey {
  /** Tokens name the key that signed them by this. */
  readonly id: string;
  /** Name of the signature algorithm in JWTs. */
  readonly algorithm: string;
  readonly publicKey: KeyObject;
}

/** A key that signs them, too. */
export interface SigningKey extends VerificationKey {
  readonly privateKey: KeyObject;
}

const CURVE_ALGORITHMS: Readonly<Record<string, string>> = {
  prime256v1: 'ES256',
  secp384r1: 'ES384',
  secp521r1: 'ES512',
};

/** @param pem a private key: RSA, or ECDSA on one of the NIST curves. Throws for any other. */
export function loadSigningKey(pem: string): SigningKey {
  const privateKey = createPrivateKey(pem);
  return { ...describe(createPublicKey(privateKey)), privateKey };
}

/** @param pem a public key of the same types, such as one that signed tokens in the past */
export function loadVerificationKey(pem: string): VerificationKey {
  return describe(createPublicKey(pem));
}

function describe(publicKey: KeyObject): VerificationKey {
  const spki = publicKey.export({ type: 'spki', format: 'der' });
  return { id: createHash('sha256').update(spki).digest('base64url'), algorithm: algorithmOf(publicKey), publicKey };
}

function algorithmOf({ asymmetricKeyType, asymmetricKeyDetails }: KeyObject): string {
  if (asymmetricKeyType === 'rsa') return 'RS256';
  const algorithm = CURVE_ALGORITHMS[asymmetricKeyDetails?.namedCurve ?? ''];
  if (asymmetricKeyType === 'ec' && algorithm !== undefined) return algorithm;
  throw new Error('service-account tokens need a key of type RSA, or ECDSA on P-256, P-384 or P-521');
}
