import { compactVerify } from 'jose/jws/compact/verify';

import type { VerificationKey } from './service-account-key.ts';
import type { TokenClaims } from './token-claims.ts';

/** What a token says once its signature has been verified, or why it says nothing. */
export type SignatureVerdict = { readonly claims: TokenClaims } | { readonly problem: string };

/** Answers undefined to what is no token of the expected issuers. */
export type SignatureVerifier = (token: string) => Promise<SignatureVerdict | undefined>;

/** Tokens of that many clients are remembered; the oldest make room for new ones. */
const MAX_REMEMBERED_TOKENS = 4_096;

/**
 * Verifies signatures. A signature stays good, so each token is verified once; whether its claims still hold is for the
 * caller to decide, at every request.
 */
export function createSignatureVerifier(
  issuers: readonly string[],
  keys: readonly VerificationKey[],
): SignatureVerifier {
  const remembered = new Map<string, SignatureVerdict>();
  return async (token) => {
    const known = remembered.get(token);
    if (known !== undefined) return known;
    if (!issuers.includes(unverifiedIssuer(token) ?? '')) return undefined;
    const verdict = await verify(token, keys);
    if ('problem' in verdict) return verdict;
    const [oldest] = remembered.keys();
    if (remembered.size >= MAX_REMEMBERED_TOKENS && oldest !== undefined) remembered.delete(oldest);
    remembered.set(token, verdict);
    return verdict;
  };
}

/** Who a token claims to come from; undefined for what is no JWT. */
function unverifiedIssuer(token: string): string | undefined {
  const [header, payload, signature, ...more] = token.split('.');
  if (header === undefined || payload === undefined || signature === undefined || more.length > 0) return undefined;
  const issuer = parseObject(payload)?.iss;
  return typeof issuer === 'string' && parseObject(header) !== undefined ? issuer : undefined;
}

async function verify(token: string, keys: readonly VerificationKey[]): Promise<SignatureVerdict> {
  const keyId = parseObject(token.slice(0, token.indexOf('.')))?.kid;
  const candidates = keyId ? keys.filter(({ id }) => id === keyId) : keys;
  if (candidates.length === 0) return { problem: 'invalid signature, no keys found' };
  for (const { publicKey, algorithm } of candidates) {
    const payload = await verifiedPayload(token, publicKey, algorithm);
    if (payload !== undefined) return { claims: payload };
  }
  return { problem: 'go-jose/go-jose: error in cryptographic primitive' };
}

async function verifiedPayload(
  token: string,
  key: VerificationKey['publicKey'],
  algorithm: string,
): Promise<TokenClaims | undefined> {
  try {
    const { payload } = await compactVerify(token, key, { algorithms: [algorithm] });
    return JSON.parse(Buffer.from(payload).toString());
  } catch {
    // All that can go wrong means that this key did not sign this token.
    return undefined;
  }
}

function parseObject(encoded: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(encoded, 'base64url').toString());
    return typeof value === 'object' && value !== null ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}
