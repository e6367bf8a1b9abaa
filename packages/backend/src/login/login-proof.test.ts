import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { browserMark, challengeOf, isBrowserSecret, isSameText, loginProof, newBrowserSecret } from './login-proof.ts';

const key = new Uint8Array(32).fill(1);

describe('what ties a login to a browser', () => {
  it('is derived from attempt, browser and the key of the backend, and from nothing else', () => {
    const proof = loginProof(key, 'attempt', 'secret');

    expect(loginProof(key, 'attempt', 'secret')).toEqual(proof);
    for (const other of [
      loginProof(key, 'attempt2', 'secret'),
      loginProof(key, 'attempt', 'secret2'),
      loginProof(new Uint8Array(32), 'attempt', 'secret'),
      loginProof(key, 'attempts', 'ecret'),
    ]) {
      expect(other.nonce).not.toBe(proof.nonce);
      expect(other.verifier).not.toBe(proof.verifier);
    }
    expect(proof.nonce).not.toBe(proof.verifier);
    expect(proof.verifier).toMatch(/^[A-Za-z0-9_-]{43}$/);
  });

  it('is a secret of which tickets hold a mark only', () => {
    const secret = newBrowserSecret();

    expect(isBrowserSecret(secret)).toBe(true);
    expect(newBrowserSecret()).not.toBe(secret);
    expect(browserMark(secret)).not.toContain(secret);
    expect(browserMark(secret)).toBe(browserMark(secret));
    for (const text of [undefined, '', 'x', `${secret}x`, secret.replace(/./, '"')])
      expect(isBrowserSecret(text)).toBe(false);
  });

  it('has the challenge of RFC 7636', () => {
    expect(challengeOf('dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk')).toBe(
      'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
    );
    expect(challengeOf('x')).toBe(createHash('sha256').update('x').digest('base64url'));
  });

  it('compares texts of any length', () => {
    expect(isSameText('abc', 'abc')).toBe(true);
    for (const other of ['abd', 'ab', 'abcd', '']) expect(isSameText('abc', other)).toBe(false);
  });
});
