/** What an Authorization header is worth. */
export type BearerCredentials =
  | { readonly token: string }
  /** It was meant to carry a token, and the client should be told why it does not. */
  | { readonly token: undefined; readonly warning: string };

const SPACE_WARNING = 'the provided Authorization header contains extra space before the bearer token, and is ignored';

/** The token in an Authorization header; undefined when the header is about something else. */
export function parseBearerToken(authorization: string): BearerCredentials | undefined {
  const [scheme = '', token, ...rest] = authorization.trim().split(' ');
  if (scheme.toLowerCase() !== 'bearer' || token === undefined) return undefined;
  if (token !== '') return { token };
  return rest.length > 0 ? { token: undefined, warning: SPACE_WARNING } : undefined;
}
