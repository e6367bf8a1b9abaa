/** When a token ends, as it says itself; undefined for tokens that do not end or are of another kind. */
export function tokenExpiry(token: string): Date | undefined {
  const [, payload, signature] = token.split('.');
  if (payload === undefined || signature === undefined) return undefined;
  try {
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString('utf8')) as { readonly exp?: unknown } | null;
    return typeof claims?.exp === 'number' ? new Date(claims.exp * 1000) : undefined;
  } catch {
    // Not a JSON web token: nothing can be told about its end.
    return undefined;
  }
}
