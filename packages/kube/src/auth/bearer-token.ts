/**
 * The token without surrounding white space, or `undefined` when it is empty or holds a character that cannot be sent
 * in an HTTP header. Line breaks at the end are common in token files and mean nothing.
 */
export function cleanToken(text: string): string | undefined {
  const token = text.trim();
  return /^[\x21-\x7e]+$/.test(token) ? token : undefined;
}
