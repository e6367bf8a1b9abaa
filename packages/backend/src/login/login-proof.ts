import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/** A random secret that a browser keeps in a cookie while somebody logs in. */
export function newBrowserSecret(): string {
  return randomBytes(32).toString('base64url');
}

/** Whether a text can be a browser secret. */
export function isBrowserSecret(text: string | undefined): text is string {
  return text !== undefined && /^[A-Za-z0-9_-]{43}$/.test(text);
}

/** What a ticket holds of a browser secret: enough to recognise it, not enough to know it. */
export function browserMark(secret: string): string {
  return createHash('sha256').update(`browser ${secret}`).digest('base64url');
}

/** What ties a login at the identity provider to one browser and one attempt. Derived, so that nothing has to be stored. */
export interface LoginProof {
  /** In the ID token. */
  readonly nonce: string;
  /** Of PKCE; 43 characters, as it has to be at least. */
  readonly verifier: string;
}

/** The proof of the attempt that has this id, in the browser that has this secret; the key is the backend's own. */
export function loginProof(key: Uint8Array, attempt: string, browserSecret: string): LoginProof {
  const derive = (use: string) =>
    createHmac('sha256', key)
      .update(JSON.stringify([use, attempt, browserSecret]))
      .digest('base64url');
  return { nonce: derive('nonce'), verifier: derive('verifier') };
}

/** The S256 challenge of a PKCE verifier. */
export function challengeOf(verifier: string): string {
  return createHash('sha256').update(verifier).digest('base64url');
}

/** Whether two texts are equal, in a time that does not tell where they differ. */
export function isSameText(a: string, b: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(a), digest(b));
}
